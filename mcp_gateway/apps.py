"""The `mcp_gateway` app: the MCP server over the same services as REST and the admin."""

from django.apps import AppConfig


class McpGatewayConfig(AppConfig):
    """Has no models."""

    name = "mcp_gateway"
    verbose_name = "MCP gateway"
