import type { RequestListener } from 'node:http'
import type { HttpRequest } from '@rowkey/rest'
import { onTestFinished } from 'vitest'
import { type LoopbackServer, loopbackServer } from './loopback-server.ts'

/** A server that is closed when the test has ended. */
export async function started(listener: RequestListener): Promise<LoopbackServer> {
  const server = await loopbackServer(listener)
  onTestFinished(server.close)
  return server
}

/** A read of one entity. */
export const get = (origin: string): HttpRequest => ({
  method: 'GET',
  origin,
  path: "/people(PartitionKey='Smith',RowKey='Jeff')",
  query: '',
  headers: { accept: 'application/json' },
  body: undefined,
})

/** A write of the same. */
export const put = (origin: string): HttpRequest => ({
  ...get(origin),
  method: 'PUT',
  body: '{"a":"ä"}',
})
