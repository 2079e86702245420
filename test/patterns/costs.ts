import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import { noRetry, type Transport, tableService } from '@rowkey/rest'
import { z } from 'zod'

/** What some calls cost: requests, the bytes of their bodies, and the bytes of the bodies of the responses. */
type Cost = readonly [requests: number, sent: number, received: number]

/** An account on an embedded service whose clock moves with each request, and what counts the costs of calls. */
export function counted() {
  let time = Date.UTC(2026, 10, 22, 12)
  const now = () => time
  const { transport, connectionString } = localTableService({ now })
  let cost: Cost = [0, 0, 0]
  const counting: Transport = async (request, limits) => {
    time++
    const response = await transport(request, limits)
    const [requests, sent, received] = cost
    const lengthOf = (body: unknown) => new TextEncoder().encode(String(body ?? '')).length
    cost = [requests + 1, sent + lengthOf(request.body), received + lengthOf(response.body)]
    return response
  }
  const options = { connectionString: connectionString(), transport: counting, retry: noRetry, now }
  return {
    account: new Account(tableService(options)),
    async costOf(run: () => PromiseLike<unknown>): Promise<Cost> {
      cost = [0, 0, 0]
      await run()
      return cost
    },
  }
}

/** Reads all rows. */
export async function all(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows);
}

export const inDepartment = { name: 'staff', partitionKey: key`${'department'}` }
export const defineEmployee = () =>
  defineEntity({
    ...inDepartment,
    rowKey: key`empid_${'id:6'}`,
    schema: z.object({ department: z.string(), id: z.int(), lastName: z.string() }),
  })
export const defineDepartment = () =>
  defineEntity({
    ...inDepartment,
    rowKey: key`department`,
    schema: z.object({
      department: z.string(),
      managerId: z.int().optional(),
      managerName: z.string().optional(),
    }),
  })
export const sales = { department: 'Sales' }
export const jones = { ...sales, id: 223, lastName: 'Jones' }
