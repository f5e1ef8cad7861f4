import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth, { type NextAuthOptions } from "next-auth";

/** next-auth's response, not sent yet. */
export type NextAuthResponse = { status: number; headers: Headers; body: string | null };

type NextAuthCall = Pick<NextApiRequest, "method" | "headers" | "body"> & {
  cookies: Record<string, string>;
  query: Record<string, string | readonly string[]>;
};

/**
 * next-auth as a function from request to response. Uses its pages-router form, which takes
 * everything as arguments; the other reads cookies from Next's request scope.
 */
export async function callNextAuth(
  call: NextAuthCall,
  nextAuthOptions: NextAuthOptions,
): Promise<NextAuthResponse> {
  const headers = new Headers();
  let status = 200;
  let body: string | null = null;
  const setCookies: string[] = [];
  const response = {
    status(code: number) {
      status = code;
      return response;
    },
    getHeader: (name: string) => (name === "Set-Cookie" ? [...setCookies] : headers.get(name)),
    setHeader(name: string, value: string | string[]) {
      if (name === "Set-Cookie") setCookies.splice(0, Infinity, ...[value].flat());
      else headers.set(name, String(value));
      return response;
    },
    json(value: unknown) {
      headers.set("Content-Type", "application/json");
      body = JSON.stringify(value);
    },
    send(value: unknown) {
      if (typeof value === "string") body = value;
      else if (value !== undefined) response.json(value);
    },
    end() {},
  };
  await NextAuth(
    call as unknown as NextApiRequest,
    response as unknown as NextApiResponse,
    nextAuthOptions,
  );
  for (const cookie of setCookies) headers.append("Set-Cookie", cookie);
  return { status, headers, body };
}
