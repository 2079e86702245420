/** Shows each request that goes to an embedded service, and what its tables hold in the end. */
import { type LocalTableService, localTableService } from '@rowkey/local'
import { parseFilter } from '@rowkey/odata'
import { planOf } from '@rowkey/query'
import type { Flavour, HttpRequest, HttpResponse } from '@rowkey/rest'
import { connect, type DynamicEntity } from 'rowkey'
import type { Message, StoredTable, WireRequest } from './messages.ts'
import { MOST_ROWS, storedRows } from './rows.ts'

/** Embedded services whose requests the page sees. */
export interface WatchedServices {
  /** Makes an embedded service as `localTableService` does. */
  readonly start: typeof localTableService
  /** Reads the tables of all services; those of a closed one are as they were when it was closed. */
  tables(): Promise<readonly StoredTable[]>
}

/**
 * Makes embedded services whose requests are shown.
 *
 * @param show - called with each request, when its response arrives
 */
export function watchServices(show: (message: Message) => void): WatchedServices {
  const services: (() => Promise<readonly StoredTable[]>)[] = []
  return {
    start(options) {
      const local = localTableService(options)
      let closed: Promise<readonly StoredTable[]> | undefined
      const read = () => tablesOf(local, options?.flavour)
      services.push(() => closed ?? read())
      return {
        ...local,
        transport: async (request, limits) => {
          const response = await local.transport(request, limits)
          show(wireRequest(request, response))
          return response
        },
        close: async () => {
          closed ??= read()
          await closed
          await local.close()
        },
      }
    },
    async tables() {
      return (await Promise.all(services.map((read) => read()))).flat()
    },
  }
}

async function tablesOf(
  local: LocalTableService,
  flavour: Flavour | undefined,
): Promise<readonly StoredTable[]> {
  const account = connect({
    endpoint: `http://localhost/${local.accounts[0]}`,
    credential: local.credential(),
    transport: local.transport,
    flavour,
  })
  const tables: StoredTable[] = []
  for await (const name of account.tables()) {
    const rows: DynamicEntity[] = []
    for await (const row of account.table(name, { scans: 'tableScan' }).query().take(MOST_ROWS)) {
      rows.push(row)
    }
    tables.push({ name, ...storedRows(rows) })
  }
  return tables
}

function wireRequest(request: HttpRequest, response: HttpResponse): WireRequest {
  const { method, path, query, headers, body } = request
  const plan = planOfRequest(request)
  return {
    kind: 'request',
    method,
    address: decodeURIComponent(query === '' ? path : `${path}?${query}`),
    ...(plan && { plan: plan.plan }),
    reasons: plan?.reasons ?? [],
    status: response.status,
    sent: message(headers, body),
    received: message(response.headers, response.body),
  }
}

/** What a read costs the service: one row by its key, or the rows that the keys in its filter bound. */
function planOfRequest({ method, path, query }: HttpRequest) {
  if (method !== 'GET') return undefined
  if (!path.endsWith('()')) return path.endsWith(')') ? { plan: 'point', reasons: [] } : undefined
  const filter = new URLSearchParams(query).get('$filter')
  return planOf(filter === null ? undefined : parseFilter(filter))
}

function message(headers: HttpRequest['headers'], body = ''): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [...lines, '', body].join('\n')
}
