"""The Model Context Protocol face of a workspace: tools, resources and prompts for agents."""
