import http from 'node:http'
import { createRequire } from 'node:module'
import net from 'node:net'
import type Entity from '@rowkey/azure-entities'
import { localTableService } from '@rowkey/local'
import { type TableService, tableService } from '@rowkey/rest'

const account = { name: 'contoso', key: Buffer.alloc(64, 'k').toString('base64') }

/** The npm library itself. It has no types; its API is the one that ours has. */
export const library: typeof Entity = createRequire(import.meta.url)('azure-entities')

/** An embedded service that both the library and our package reach. */
export interface SharedService {
  /** The options of the library's `setup`. */
  readonly theirs: object
  /** The options of our `setup`. */
  readonly ours: { readonly service: TableService }
  close(): Promise<void>
}

/** The library only sends over TLS, to a host of Azure: this agent gives it a plain socket to our service. */
class PlainAgent extends http.Agent {
  readonly protocol = 'https:'
  readonly #port: number

  constructor(port: number) {
    super()
    this.#port = port
  }

  override createConnection(): net.Socket {
    return net.connect(this.#port, '127.0.0.1')
  }
}

export async function startSharedService(): Promise<SharedService> {
  const local = localTableService({ accounts: [account] })
  const { port } = await local.listen({ port: 0, hosts: ['core.windows.net'] })
  const { transport } = local
  const service = tableService({ connectionString: local.connectionString(), transport })
  const agent = new PlainAgent(port)
  return {
    theirs: { credentials: { accountId: account.name, accessKey: account.key }, agent },
    ours: { service },
    async close() {
      agent.destroy()
      await local.close()
    },
  }
}
