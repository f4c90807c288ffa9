// Calls one tool with the TypeScript SDK and prints what its user gets: node client.mjs URL AGENT TOOL ARGUMENTS
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url, agent, name, given] = process.argv.slice(2);
const client = new Client({ name: "check", version: "1" });
await client.connect(
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { "X-Agent-Id": agent } } }),
);
try {
  const tools = (await client.listTools()).tools.map((tool) => tool.name);
  const result = await client.callTool({ name, arguments: JSON.parse(given) });
  console.log(JSON.stringify({ tools, isError: Boolean(result.isError), content: result.structuredContent }));
} catch (problem) {
  console.log(JSON.stringify({ thrown: { code: problem.code ?? null, message: String(problem.message) } }));
} finally {
  await client.close();
}
