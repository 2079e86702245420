import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key, type Table } from '@rowkey/mapper'
import { type HttpRequest, noRetry, tableService } from '@rowkey/rest'
import { z } from 'zod'

/** A row of a tenant. */
export interface Invoice {
  tenant: string
  region: string
  no: number
  total: number
}

/** The model of invoices; whole when the PartitionKey has nothing but the tenant. */
export const defineInvoice = (isWhole = false) =>
  defineEntity({
    name: 'invoices',
    partitionKey: isWhole ? key`${'tenant'}` : key`${'tenant'};${'region'}`,
    rowKey: isWhole ? key`${'region'};${'no:4'}` : key`${'no:4'}`,
    schema: z.object({
      tenant: z.string(),
      region: z.string(),
      no: z.number().int(),
      total: z.number(),
    }),
  })

/** Keys in a request or a response, as they are written in paths and in JSON. */
export function partitionsIn({
  path,
  query,
  body,
}: Pick<HttpRequest, 'path' | 'query' | 'body'>): string[] {
  const text = `${decodeURIComponent(path)} ${decodeURIComponent(query ?? '')} ${String(body ?? '')}`
  const found = [...text.matchAll(/PartitionKey=(?:'|%27)(.*?)(?:'|%27)/g)].map((each) =>
    decodeURIComponent(each[1] ?? ''),
  )
  const inJson = [...text.matchAll(/"PartitionKey":"(.*?)"/g)].map((each) => each[1] ?? '')
  return [...found, ...inJson]
}

/** Two tenants, one whose name begins with that of the other, and a table that is fixed to the shorter one. */
export async function tenants(isWhole = false, options: object = {}) {
  const { transport, connectionString } = localTableService()
  const Model = defineInvoice(isWhole)
  const sent: HttpRequest[] = []
  const seen: string[] = []
  const filters: string[] = []
  let isWatched = false
  const service = tableService({
    connectionString: connectionString(),
    retry: noRetry,
    sleep: async () => {},
    transport: async (request, limits) => {
      const response = await transport(request, limits)
      if (isWatched) {
        sent.push(request)
        seen.push(
          ...partitionsIn(request),
          ...partitionsIn({ ...request, path: '', query: '', body: String(response.body) }),
        )
        const filter = new URLSearchParams(request.query).get('$filter')
        if (request.method === 'GET' && request.path.endsWith('()')) filters.push(filter ?? '')
      }
      return response
    },
    ...options,
  })
  const whole = new Account(service).table(Model) as Table<Invoice>
  await whole.create()
  for (const tenant of ['acme', 'acme2', 'bolt']) {
    for (const region of ['eu', 'us']) await whole.insert({ tenant, region, no: 1, total: 1 })
  }
  isWatched = true
  return { Model, whole, acme: whole.within({ tenant: 'acme' }), sent, seen, filters, transport }
}
