"""One module per tool or small family; each lists its tools in `TOOLS` (see `mcp_gateway.registry`)."""
