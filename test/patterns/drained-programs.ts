import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import {
  chunkStore,
  declareCopies,
  declareIndexes,
  declareLargeValues,
  declareSummaries,
  periodTables,
  tableQueue,
  worker,
} from '@rowkey/patterns'
import { noRetry, type Transport, tableService } from '@rowkey/rest'
import { z } from 'zod'
import { announcedTo } from './announcing.ts'

export const sales = { department: 'Sales' }
export const schema = z.object({
  department: z.string(),
  id: z.string(),
  lastName: z.string().optional(),
  photo: z.string().optional(),
})
export const one = { ...sales, id: '1', lastName: 'Jones' }
export const named = { ...sales, lastName: 'Jones' }
export const two = { ...sales, id: '2', lastName: 'Jones' }
export const times = [new Date('2026-11-20T09:00:00Z'), new Date('2026-11-21T09:00:00Z')]

export function defineEmployee(name = 'staff') {
  return defineEntity({ name, partitionKey: key`${'department'}`, rowKey: key`id_${'id'}`, schema })
}

/** An account that begins to close after its next request, and another one on the same service. */
export function closing() {
  const { transport, connectionString } = localTableService()
  let onRequest = (): void => {}
  const watching: Transport = async (request, limits) => {
    const response = await transport(request, limits)
    onRequest()
    return response
  }
  const open = (through: Transport) => {
    const options = { connectionString: connectionString(), transport: through, retry: noRetry }
    return new Account(tableService({ ...options, sleep: async () => {} }))
  }
  const account = open(watching)
  return {
    account,
    other: open(transport),
    /** Begins an operation, closes the account after its first request, and awaits both. */
    async closeWithin<Result>(begin: () => Promise<Result>): Promise<readonly [Result, number]> {
      let requests = 0
      let closed: Promise<void> | undefined
      onRequest = () => {
        requests++
        closed ??= account.close({ drain: true })
      }
      const result = await begin()
      await closed
      return [result, requests]
    },
  }
}

/** The accounts of two programs on one service. */
export type Place = Pick<ReturnType<typeof closing>, 'account' | 'other'>
/** What an operation does, and the rows that it leaves, as another program reads them. */
interface Begun {
  readonly run: () => Promise<unknown>
  readonly rows?: (() => Promise<unknown>) | undefined
}
/** Prepares an operation, its result, and the rows afterwards. */
export type Kind = [
  name: string,
  begin: (place: Place) => Promise<Begun>,
  result: unknown,
  rows?: unknown,
]

export async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

/** The RowKeys of a table, as they are stored. */
export async function keysOf({ other }: Place, table: string): Promise<string[]> {
  const rows = await other.table(table).query().allowTableScan().toArray()
  return rows.map(({ rowKey }) => rowKey)
}

export const ids = (entities: readonly { readonly id: string }[]) => entities.map(({ id }) => id)

/** Stores two employees by a program without declarations, and creates the tables. */
export async function withStaff({ other }: Place, ...tables: readonly string[]): Promise<void> {
  const staff = other.table(defineEmployee())
  await staff.create()
  for (const table of tables) await other.createTable(table)
  await staff
    .batch()
    .insert({ ...one })
    .insert({ ...two })
    .submit()
}

export const indexed = async (place: Place) => {
  const Employee = defineEmployee()
  const indexes = declareIndexes(Employee, {
    lastName: { rowKey: key`${'lastName'}_${'id'}` },
    id: { rowKey: key`${'id'}`, unique: true },
  })
  await withStaff(place)
  return { Employee, here: indexes.on(place.account), there: indexes.on(place.other) }
}

export const eventual = async (place: Place) => {
  const Employee = defineEmployee()
  const indexes = declareIndexes(
    Employee,
    {
      lastName: {
        partitionKey: key`${'lastName'}`,
        rowKey: key`${'department'}_${'id'}`,
        table: 'names',
      },
    },
    { worker: announcedTo().worker },
  )
  await withStaff(place, 'names')
  return { Employee, indexes, here: indexes.on(place.account) }
}

export const summed = async (place: Place) => {
  const summaries = declareSummaries(defineEmployee(), { all: { rowKey: key`all` } })
  await withStaff(place)
  return { here: summaries.on(place.account), there: summaries.on(place.other) }
}

export const copied = async (place: Place) => {
  const Team = defineEntity({
    name: 'teams',
    partitionKey: key`${'team'}`,
    rowKey: key`team`,
    schema: z.object({ team: z.string(), lead: z.string(), leadName: z.string().optional() }),
  })
  const copies = declareCopies(defineEmployee(), Team, {
    fields: { leadName: 'lastName' },
    source: ({ lead: id }) => ({ ...sales, id }),
    holders: () => [],
    worker: announcedTo().worker,
  })
  await withStaff(place, 'teams')
  const teams = place.other.table(Team)
  for (const team of ['a', 'b']) await teams.insert({ team, lead: '1' })
  const rows = async () =>
    (await teams.query().allowTableScan().toArray()).map(({ leadName }) => leadName)
  return { copies, rows }
}

export const outside = async (place: Place) => {
  const Employee = defineEmployee()
  const store = chunkStore(place.account, { table: 'photos' })
  const photos = declareLargeValues(Employee, { property: 'photo', store: () => store })
  await withStaff(place, 'photos')
  const entity = await place.account.table(Employee).get({ ...sales, id: '1' })
  const chunks = async () => {
    const rows = await place.other.table('photos').query().allowTableScan().toArray()
    return rows.map((row) => {
      const bytes = row.get('Bytes')?.value ?? row.get('Chunk00')?.as('Binary')?.length
      return `${row.rowKey} ${bytes}`
    })
  }
  return { Employee, entity, chunks, here: photos.on(place.account) }
}

export const queued = async (place: Place) => {
  await place.other.createTable('queues')
  await withStaff(place, 'archive')
  const Employee = defineEmployee()
  const current = place.account.table(Employee)
  const archive = place.account.table(Employee, 'archive')
  const queueOf = (name: string) => tableQueue(place.account, name, { table: 'queues' })
  const jobs = worker<{ move: { department: string; id: string } }>({
    queue: () => queueOf('jobs'),
    deadLetters: () => queueOf('dead'),
    attempts: 1,
    concurrency: 1,
    handlers: {
      async move(target, { options: call }) {
        const employee = await current.get(target, call)
        await archive.insertOrReplace({ ...employee }, call)
        await current.delete(employee, call)
      },
    },
  }).on(place.account)
  const rows = async () => {
    const messages = await place.other.table('queues').query().allowTableScan().toArray()
    const queues = messages.map(({ partitionKey }) => partitionKey)
    return [queues, await keysOf(place, 'archive'), await keysOf(place, 'staff')]
  }
  return { jobs, current, archive, rows }
}

const periods = (account: Account) => {
  const Login = defineEntity({
    name: 'logins',
    partitionKey: key`${'user'}`,
    rowKey: key`${'at:time'}`,
    schema: z.object({ user: z.string(), at: z.date() }),
  })
  return periodTables(Login, { prefix: 'Logins', period: 'day', at: ({ at }) => at }).on(account)
}

export const withLogins = async (place: Place) => {
  for (const at of times) await periods(place.other).insert({ user: 'jones', at })
  const names = async () =>
    (await collected(periods(place.other).periods())).map(({ name }) => name)
  return { here: periods(place.account), names }
}
