import { localTableService } from '@rowkey/local'
import {
  Account,
  DateTime,
  defineEntity,
  Entity,
  key,
  lifetime,
  PartitionKey,
  RowKey,
  StoreAs,
  type Table,
} from '@rowkey/mapper'
import { type HttpRequest, noRetry, type Transport, tableService } from '@rowkey/rest'
import { z } from 'zod'

/** A class whose rows expire and can be deleted softly. */
@Entity({
  name: 'notes',
  lifetime: lifetime({ expiresAt: 'expiresOn', deletedAt: 'deletedOn' }),
})
export class Note {
  @PartitionKey() user = ''
  @RowKey() id = ''
  text = ''
  @DateTime() expiresOn?: Date
  @DateTime() @StoreAs('gone') deletedOn?: Date
}

/** A model whose rows only expire. */
export const Session = defineEntity({
  name: 'sessions',
  partitionKey: key`${'user'}`,
  rowKey: key`s_${'id'}`,
  schema: z.object({ user: z.string(), id: z.string(), expiresOn: z.date().optional() }),
  lifetime: lifetime({ expiresAt: 'expiresOn' }),
})

export const HOUR = 3_600_000
const START = Date.parse('2026-11-22T09:00:00Z')

/** A service whose clock stands still until `now` is set, and its account. */
export function world(flavour?: 'cosmos') {
  const clock = { now: START }
  const sent: HttpRequest[] = []
  /** Run before each request, and after each response. */
  const hooks = {
    before: async (_request: HttpRequest): Promise<void> => undefined,
    after: async (_request: HttpRequest): Promise<void> => undefined,
  }
  const { transport, connectionString } = localTableService({ now: () => clock.now })
  const recording: Transport = async (request, limits) => {
    await hooks.before(request)
    sent.push(request)
    const response = await transport(request, limits)
    await hooks.after(request)
    return response
  }
  const service = tableService({
    connectionString: connectionString(),
    transport: recording,
    retry: noRetry,
    now: () => clock.now,
    ...(flavour && { flavour }),
  })
  return { clock, sent, hooks, account: new Account(service) }
}

/** A time some hours after the start. */
export const at = (hours: number): Date => new Date(START + hours * HOUR)

export function note(id: string, values: Partial<Note> = {}): Note {
  return Object.assign(new Note(), { user: 'jeff', id, ...values })
}

/** A table with a note that expired, a deleted one, one that expires later, and one that never does. */
export async function notes() {
  const all = world()
  const table: Table<Note> = all.account.table(Note)
  await table.create()
  const written = [
    note('expired', { expiresOn: at(-1) }),
    note('later', { expiresOn: at(1) }),
    note('never'),
    note('deleted'),
  ]
  for (const each of written) await table.insert(each)
  await table.delete(['jeff', 'deleted'], { etag: '*' })
  all.sent.length = 0
  return { ...all, table }
}
