import { answerAuth } from "@/lib/server/auth/next-auth-handler";
import { getRuntime } from "@/lib/server/runtime";

type Context = { params: Promise<{ nextauth: string[] }> };

const handler = async (request: Request, { params }: Context) =>
  answerAuth(getRuntime(), request, (await params).nextauth);

export { handler as GET, handler as POST };
