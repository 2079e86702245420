import { localTableService } from '@rowkey/local'
import { Account, defineEntity, keepRows, key, type Table } from '@rowkey/mapper'
import { ETagMismatchError, type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'

interface Player {
  game: string
  name: string
  points?: number
  clan?: string
  etag?: string
}

const definePlayer = () =>
  defineEntity({
    name: 'players',
    partitionKey: key`${'game'}`,
    rowKey: key`${'name'}`,
    schema: z.object({
      game: z.string(),
      name: z.string(),
      points: z.int32().optional(),
      clan: z.string().optional(),
    }),
    etag: 'etag',
  })

/** A write that was made and is not sent yet. */
type Send = () => Promise<unknown>

/** Ways to make a write of an object now, and send it later. */
const ways: Readonly<Record<string, (table: Table<Player>, player: Player) => Send>> = {
  'a batch': (table, player) => {
    const batch = table.batch().merge(player)
    return () => batch.submit()
  },
  'a buffered writer': (table, player) => {
    const writer = table.buffered()
    const added = writer.merge(player)
    return () => added.then(() => writer.close())
  },
}

/** A table whose writes wait, after the call and before they are sent, until `release` was called. */
function waitingTable() {
  const Player = definePlayer()
  let release = () => {}
  const planned = new Promise<void>((resolve) => {
    release = resolve
  })
  keepRows(Player, {
    touches: (names) => names.has('points'),
    async plan(transitions) {
      if (transitions.some(({ before }) => before !== undefined)) await planned
      return { companions: [], rejected: async (_, error) => error }
    },
  })
  return { table: freshAccount().account.table(Player) as Table<Player>, release }
}

async function stored(table: Table<Player>): Promise<Player> {
  await table.create()
  return table.insert({ game: 'chess', name: 'Jeff', points: 1, clan: 'Knights' })
}

/** After a reload that did not see the write, the next write of the object must not take it back. */
async function expectNotTakenBack(table: Table<Player>, jeff: Player): Promise<void> {
  jeff.clan = 'Rooks'
  await expect(table.merge(jeff)).rejects.toThrow('412')
  await table.reload(jeff)
  expect(jeff).toMatchObject({ points: 2, clan: 'Knights' })
  jeff.clan = 'Rooks'
  await table.merge(jeff)
  expect(await table.get(['chess', 'Jeff'])).toMatchObject({ points: 2, clan: 'Rooks' })
}

describe('a reload between the making of a write and its sending', () => {
  it.each(Object.entries(ways))('shows that the write of %s came later', async (_, make) => {
    const table = freshAccount().account.table(definePlayer()) as Table<Player>
    const jeff = await stored(table)
    jeff.points = 2
    const send = make(table, jeff)
    await table.reload(jeff)
    expect(jeff.points).toBe(1)
    await send()
    await expectNotTakenBack(table, jeff)
  })

  it.each([
    ['by the ETag of its object', {}],
    ['past others', { etag: '*' }],
  ])('shows that a write %s, which was planned meanwhile, came later', async (_, options) => {
    const { table, release } = waitingTable()
    const jeff = await stored(table)
    jeff.points = 2
    const merged = table.merge(jeff, options)
    await table.reload(jeff)
    expect(jeff.points).toBe(1)
    release()
    await merged
    await expectNotTakenBack(table, jeff)
  })

  it('does not hide from a later write the version that the one before it did not change', async () => {
    const { transport, connectionString } = localTableService()
    const held: (() => void)[] = []
    const holding: Transport = async (request, limits) => {
      if (request.method === 'DELETE') await new Promise<void>((resolve) => held.push(resolve))
      return transport(request, limits)
    }
    const open = (through: Transport) =>
      new Account(tableService({ connectionString: connectionString(), transport: through }))
    const table = open(holding).table(definePlayer()) as Table<Player>
    await stored(table)
    const jeff: Player = { game: 'chess', name: 'Jeff', points: 2 }
    const replaced = table.replace(jeff, { etag: '*' })
    const deleted = table.delete(jeff)
    await replaced
    jeff.points = 3
    const merged = table.merge(jeff)
    await table.reload(jeff)
    const rival = open(transport).table(definePlayer()) as Table<Player>
    await rival.modify(['chess', 'Jeff'], (player) => {
      player.clan = 'Rooks'
    })
    const ends = Promise.allSettled([deleted, merged])
    for (const release of held) release()
    const rejected = { status: 'rejected', reason: expect.any(ETagMismatchError) }
    expect(await ends).toMatchObject([rejected, rejected])
    expect(await rival.get(['chess', 'Jeff'])).toMatchObject({ points: 2, clan: 'Rooks' })
  })
})
