import { localTableService } from '@rowkey/local'
import { Account, type EntityClass, type Table } from '@rowkey/mapper'
import {
  type HttpRequest,
  noRetry,
  type TableService,
  type Transport,
  tableService,
} from '@rowkey/rest'

/** An account on an embedded service of its own, and every request that went to it. */
export interface FreshAccount {
  readonly account: Account
  readonly service: TableService
  readonly sent: HttpRequest[]
}

/** A new embedded service, with nothing in it. */
export function freshAccount(): FreshAccount {
  const { transport, connectionString } = localTableService()
  const sent: HttpRequest[] = []
  const recording: Transport = (request, limits) => {
    sent.push(request)
    return transport(request, limits)
  }
  const service = tableService({
    connectionString: connectionString(),
    transport: recording,
    retry: noRetry,
    sleep: async () => {},
  })
  return { account: new Account(service), service, sent }
}

/** The table of a class, just created on a service of its own; `sent` begins after that. */
export async function freshTable<Entity extends object>(
  entityClass: EntityClass<Entity>,
  name?: string,
): Promise<FreshAccount & { table: Table<Entity> }> {
  const fresh = freshAccount()
  const table = fresh.account.table(entityClass, name)
  await table.create()
  fresh.sent.length = 0
  return { ...fresh, table }
}

/** An account whose service applies every request, and whose responses get lost from `lose` on. */
export function losingAccount(): { account: Account; lose(lost: boolean): void } {
  const { transport, connectionString } = localTableService()
  let losing = false
  const losingResponses: Transport = async (request, limits) => {
    const answer = await transport(request, limits)
    if (losing) throw new Error('lost')
    return answer
  }
  const options = {
    connectionString: connectionString(),
    transport: losingResponses,
    retry: noRetry,
  }
  return {
    account: new Account(tableService(options)),
    lose(lost) {
      losing = lost
    },
  }
}
