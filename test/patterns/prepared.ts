import { type Account, defineEntity, key } from '@rowkey/mapper'
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

/** The accounts of two programs on one service. */
export interface Place {
  readonly account: Account
  readonly other: Account
}

export async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

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
  return copies.on(place.account)
}

export const outside = async (place: Place) => {
  const Employee = defineEmployee()
  const store = chunkStore(place.account, { table: 'photos' })
  const photos = declareLargeValues(Employee, { property: 'photo', store: () => store })
  await withStaff(place, 'photos')
  const entity = await place.account.table(Employee).get({ ...sales, id: '1' })
  return { entity, here: photos.on(place.account) }
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
        const employee = await current.get(target, { ...call, locationMode: 'primaryOnly' })
        await archive.insertOrReplace({ ...employee }, call)
        await current.delete(employee, call)
      },
    },
  }).on(place.account)
  return jobs
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
  return periods(place.account)
}
