import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localTableService } from '@rowkey/local'
import { undiciTransport } from '@rowkey/rest'
import { describe } from 'vitest'
import { casesToPlay } from '../support/cases-to-play.ts'
import { type ConformanceHost, describeConformance } from './describe-conformance.ts'
import { ServiceClient } from './service-client.ts'

async function inProcess(data?: string): Promise<ConformanceHost> {
  const local = localTableService({ data })
  const client = new ServiceClient(local.connectionString(), local.transport)
  return { client, close: () => local.close() }
}

async function overHttp(data?: string): Promise<ConformanceHost> {
  const local = localTableService({ data })
  const { connectionString } = await local.listen({ port: 0 })
  const transport = undiciTransport()
  return {
    client: new ServiceClient(connectionString, transport),
    async close() {
      await transport.close?.()
      await local.close()
    },
  }
}

/** The same with a folder, which goes when the service is closed. */
async function durable(
  start: (data: string) => Promise<ConformanceHost>,
): Promise<ConformanceHost> {
  const folder = await mkdtemp(join(tmpdir(), 'rowkey-'))
  const { client, close } = await start(folder)
  return {
    client,
    async close() {
      await close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

// The first and the last have every place and every way between them.
const hosts = casesToPlay(
  [
    ['in memory, in process', () => inProcess()],
    ['in memory, over HTTP', () => overHttp()],
    ['durable, in process', () => durable(inProcess)],
    ['durable, over HTTP', () => durable(overHttp)],
  ] as const,
  3,
)

describe.each(hosts)('%s', (_, host) => describeConformance(host))
