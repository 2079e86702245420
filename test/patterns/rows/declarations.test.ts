import { defineEntity, type KeyCodec, keepRows, key, lifetime, ModelError } from '@rowkey/mapper'
import {
  declareCopies,
  declareIndexes,
  declareLargeValues,
  declareOutbox,
  declareSummaries,
  wideEntity,
} from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { announcedTo } from '../announcing.ts'
import { office } from '../employees.ts'

const schema = z.object({
  employee: z.string(),
  day: z.string(),
  note: z.string().optional(),
  expiresOn: z.date().optional(),
})
const parts = { name: 'stats', partitionKey: key`${'employee'}` }
const defineStats = () => defineEntity({ ...parts, rowKey: key`day_${'day'}`, schema })
const defineOther = () =>
  defineEntity({
    ...parts,
    rowKey: key`other_${'day'}`,
    schema: z.object({ employee: z.string(), day: z.string(), copy: z.string().optional() }),
  })
type Stats = ReturnType<typeof defineStats>

const store = {
  put: async () => {},
  get: async () => undefined,
  has: async () => false,
  delete: async () => {},
  async *list() {},
}
const announce = async () => {}
const copies = {
  fields: { copy: 'note' },
  source: ({ employee, day }: { employee: string; day: string }) => ({ employee, day }),
  holders: ({ employee, day }: { employee: string; day: string }) => [{ employee, day }],
} as const

const kept: Readonly<Record<string, (stats: Stats) => unknown>> = {
  declareIndexes: (stats) =>
    declareIndexes(stats, { note: { rowKey: key`note_${'note'}_${'day'}` } }),
  declareSummaries: (stats) => declareSummaries(stats, { all: { rowKey: key`summary_all` } }),
  declareCopies: (stats) => declareCopies(stats, defineOther(), copies),
  declareOutbox: (stats) => declareOutbox(stats, { messages: () => [], ...announcedTo(announce) }),
  declareLargeValues: (stats) =>
    declareLargeValues(stats, { property: 'note', store: () => store }),
}
const bypassing: Readonly<Record<string, (stats: Stats) => unknown>> = {
  wideEntity: (stats) => wideEntity(stats, defineOther()),
}
const pairs = Object.keys(bypassing).flatMap((one) =>
  Object.keys(kept).map((other) => [one, other] as const),
)

describe('declarations that write past the tables of a model', () => {
  it.each(pairs)('%s and %s cannot share a model, in any order', (one, other) => {
    const names = new RegExp(`${one} and ${other} cannot share a model: .* model of its own`)
    for (const [first, second] of [
      [bypassing[one], kept[other]],
      [kept[other], bypassing[one]],
    ] as const) {
      const stats = defineStats()
      first?.(stats)
      expect(() => second?.(stats)).toThrow(ModelError)
      expect(() => second?.(stats)).toThrow(names)
    }
  })

  it.each(Object.keys(bypassing))('%s rejects a model with eventual indexes', (name) => {
    const stats = defineStats()
    declareIndexes(
      stats,
      { note: { partitionKey: key`${'note'}`, rowKey: key`entry_${'employee'}_${'day'}` } },
      { worker: announcedTo().worker },
    )
    expect(() => bypassing[name]?.(stats)).toThrow(/declareOutbox cannot share a model/)
  })

  it.each(Object.keys(bypassing))('%s rejects a model with a keeper or a lifetime', (name) => {
    const stats = defineStats()
    const plan = { companions: [], rejected: async () => undefined }
    keepRows(stats, { touches: () => true, plan: async () => plan })
    expect(() => bypassing[name]?.(stats)).toThrow(/keepRows cannot share a model/)
    const expiring = defineEntity({
      ...parts,
      rowKey: key`day_${'day'}`,
      schema,
      lifetime: lifetime({ expiresAt: 'expiresOn' }),
    })
    const message = /the option lifetime cannot share a model/
    expect(() => bypassing[name]?.(expiring)).toThrow(message)
  })
})

describe.each(['storage', 'cosmos'] as const)(
  'models that their PartitionKeys tell apart, on %s',
  (flavour) => {
    const defineIn = (partitionKey: KeyCodec<{ group: string }>) =>
      defineEntity({
        name: 'members',
        partitionKey,
        rowKey: key`${'id'}`,
        schema: z.object({ group: z.string(), id: z.string(), name: z.string() }),
      })
    const defineTeam = () => defineIn(key`team_${'group'}`)
    const defineClub = () => defineIn(key`club_${'group'}`)
    const jones = { group: '1', id: '1', name: 'Jones' }

    async function members() {
      const opened = office(flavour)
      await opened.account.table(defineTeam()).create()
      for (const model of [defineTeam(), defineClub()]) {
        await opened.account.table(model).insert(jones)
      }
      return opened
    }

    it('have indexes of their own under one name', async () => {
      const { account } = await members()
      const [Team, Club] = [defineTeam(), defineClub()]
      const definitions = { name: { rowKey: key`${'name'}~${'id'}` } }
      const teams = declareIndexes(Team, definitions).on(account)
      await teams.build()
      expect(await teams.verify()).toMatchObject({ rows: 1, kept: 1, found: 0 })
      const clubs = declareIndexes(Club, definitions).on(account)
      expect(await clubs.state('name')).toBe('building')
      expect(await account.table(Club).query().where({ group: '1', name: 'Jones' }).count()).toBe(1)
      await clubs.build()
      expect(await clubs.query('name', { group: '1' }).toArray()).toMatchObject([jones])
      await account.table(Club).delete(jones, { etag: '*' })
      expect(await teams.verify()).toMatchObject({ rows: 1, kept: 1, found: 0 })
    })

    it('have summaries of their own under one name', async () => {
      const { account } = await members()
      const definitions = { all: { rowKey: key`all` } }
      const teams = declareSummaries(defineTeam(), definitions).on(account)
      await teams.build()
      const clubs = declareSummaries(defineClub(), definitions).on(account)
      await expect(clubs.get('all', { group: '1' })).rejects.toMatchObject({ code: 'NotReadable' })
      await clubs.build()
      expect(await clubs.get('all', { group: '1' })).toEqual({ count: 1, sums: {} })
    })

    it('have outboxes of their own', async () => {
      const { account } = await members()
      const declared = [defineTeam(), defineClub()].map((model) => {
        const handled: string[] = []
        const outbox = declareOutbox(model, {
          messages: () => [model.partitionKey.prefix({})],
          ...announcedTo(),
          handle: async (message) => void handled.push(message),
        })
        return { model, outbox: outbox.on(account), handled }
      })
      for (const { model } of declared) {
        await account.table(model).insert({ ...jones, id: '2' })
      }
      for (const [at, { outbox, handled }] of declared.entries()) {
        await outbox.drain()
        expect(handled).toEqual([['team_', 'club_'][at]])
      }
    })
  },
)
