import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  type CallToolResult,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { Failure, failureIn } from "@/lib/contracts/failure";
import { answerJson, cutText } from "@/lib/domain/assistants/tool-answer";
import type { Person } from "@/lib/server/auth/person";
import type { TokenFacts } from "@/lib/server/auth/tokens/tokens";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { notValid } from "@/lib/server/http/query";
import { isDatabaseOutage } from "@/lib/server/outage";
import type { SecurityLog } from "@/lib/server/security-log";
import { endpointTool, partnerTool, whatNeedsAttention, whatToTell } from "./now-tools";
import {
  apiCallsTool,
  incidentsTool,
  onTimeReport,
  scheduleFilesTool,
  whatChanged,
} from "./past-tools";
import type { Tool, ToolContext, ToolsRuntime } from "./tool";
import {
  INSTRUCTIONS,
  INTERNAL,
  LONG_ID,
  NEEDS_TOKEN,
  NO_BATCHES,
  NO_TOOL,
  UNAVAILABLE,
  WRONG_PARAMETERS,
} from "./words";

const TOOLS: readonly Tool[] = [
  whatNeedsAttention,
  partnerTool,
  endpointTool,
  incidentsTool,
  whatChanged,
  whatToTell,
  onTimeReport,
  apiCallsTool,
  scheduleFilesTool,
];
const LISTED = TOOLS.map(({ name, title, description, arguments: schema }) => ({
  name,
  title,
  description,
  inputSchema: z.toJSONSchema(schema, { io: "input" }) as { type: "object" },
  annotations: { readOnlyHint: true, openWorldHint: false },
}));
/** A message that is answered, as far as the SDK answers in words of its own. */
const Message = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
});
/** What the SDK checks a message by, whose error would be zod's. */
const METHODS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ["initialize", InitializeRequestSchema],
  ["ping", PingRequestSchema],
  ["tools/list", ListToolsRequestSchema],
  ["tools/call", CallToolRequestSchema],
]);
/** Characters of a message's id, which its answer repeats. */
const MAX_ID = 100;
/** Characters of an error's description, which can name an unknown argument. */
const MAX_DESCRIPTION = 1_000;

type AssistantRuntime = ToolsRuntime & { build: string; securityLog: SecurityLog };

/**
 * Answers a message of the Model Context Protocol: `POST /api/mcp`, without sessions. A tool's result is one JSON value;
 * so are its errors.
 * @throws Failure `unauthenticated` without a token
 */
export async function answerAssistant(
  runtime: AssistantRuntime,
  {
    request,
    body,
    token,
    ...asked
  }: {
    request: HttpRequest;
    body: unknown;
    token: TokenFacts | null;
    person: Person;
    origin: string;
  },
): Promise<Response | PlainResponse> {
  if (token === null) throw new Failure("unauthenticated", NEEDS_TOKEN);
  if (Array.isArray(body)) return refusedMessage(NO_BATCHES);
  const { id } = z.object({ id: z.unknown() }).catch({ id: undefined }).parse(body);
  if (typeof id === "string" && id.length > MAX_ID) return refusedMessage(LONG_ID);
  const asks = Message.safeParse(body).data;
  if (asks !== undefined && METHODS.get(asks.method)?.safeParse(body).success === false)
    return wrongParameters(asks.id);

  // For one message, because without sessions nothing connects it with others.
  const server = createServer(runtime, request, asked);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const headers = new Headers([...request.headers]);
    const message = new Request(request.url, { method: "POST", headers });
    return await transport.handleRequest(message, { parsedBody: body ?? null });
  } finally {
    await server.close();
  }
}

function createServer(
  runtime: AssistantRuntime,
  request: HttpRequest,
  asked: { person: Person; origin: string },
): McpServer {
  const info = { name: "plumbline", title: "Plumbline", version: runtime.build };
  const mcp = new McpServer(info, {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
  });
  // The SDK announces notifications of changed tools, which can't come without sessions.
  mcp.server.registerCapabilities({ tools: { listChanged: false } });
  // Not by `registerTool`, whose errors are text outside of JSON.
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...LISTED] }));
  mcp.server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool({ ...asked, runtime }, params, (error) =>
      runtime.securityLog.failed("request_failed", error, request),
    ),
  );
  return mcp;
}

/** @param log writes an unexpected error, and returns the id of its line */
async function callTool(
  context: ToolContext,
  { name, arguments: given = {} }: { name: string; arguments?: unknown },
  log: (error: unknown) => string,
): Promise<CallToolResult> {
  const named = TOOLS.find((tool) => tool.name === name);
  if (named === undefined) return failed({ error: "not_found", error_description: NO_TOOL });
  try {
    const text = answerJson(await named.answer(context, given));
    return { content: [{ type: "text", text }] };
  } catch (error) {
    const failure =
      error instanceof z.ZodError ? notValid(error, "isn't an argument") : failureIn(error);
    if (failure !== null)
      return failed({
        error: failure.code,
        error_description: cutText(failure.message, MAX_DESCRIPTION),
      });
    if (isDatabaseOutage(error))
      return failed({ error: "unavailable", error_description: UNAVAILABLE });
    return failed({ error: "internal", error_description: INTERNAL, log_id: log(error) });
  }
}

const failed = (error: Readonly<Record<string, string>>): CallToolResult => ({
  isError: true,
  content: [{ type: "text", text: JSON.stringify(error) }],
});

function refusedMessage(message: string): PlainResponse {
  return errorResponse(400, null, { code: ErrorCode.InvalidRequest, message });
}

function wrongParameters(id: string | number): PlainResponse {
  return errorResponse(200, id, { code: ErrorCode.InvalidParams, message: WRONG_PARAMETERS });
}

function errorResponse(
  status: number,
  id: string | number | null,
  error: { code: ErrorCode; message: string },
): PlainResponse {
  return {
    status,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id, error }),
  };
}
