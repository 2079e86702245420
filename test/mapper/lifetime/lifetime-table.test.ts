import { lifetimeOf } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { beforeEach, describe, expect, it } from 'vitest'
import { Customer } from '../customer.ts'
import { freshAccount } from '../fresh-account.ts'
import { at, HOUR, note, notes, Session, world } from './notes.ts'

let all: Awaited<ReturnType<typeof notes>>
beforeEach(async () => {
  all = await notes()
})

/** The ids of all rows, hidden or not. */
const stored = async () => {
  const rows = await lifetimeOf(all.table).all.query().where({ user: 'jeff' }).toArray()
  return rows.map(({ id }) => id)
}

describe('lifetimeOf', () => {
  it('shows all rows', async () => {
    const { table } = all
    expect((await lifetimeOf(table).all.get(['jeff', 'expired'])).expiresOn).toEqual(at(-1))
    expect(await stored()).toEqual(['deleted', 'expired', 'later', 'never'])
  })

  it('restores a deleted row', async () => {
    const { table } = all
    const restored = await lifetimeOf(table).restore(['jeff', 'deleted'])
    expect(restored.deletedOn).toBeUndefined()
    expect((await table.get(['jeff', 'deleted'])).id).toBe('deleted')
  })

  it('erases a row for good', async () => {
    const { table } = all
    await lifetimeOf(table).erase(['jeff', 'deleted'], { etag: '*' })
    await lifetimeOf(table).erase(await table.get(['jeff', 'never']))
    expect(await stored()).toEqual(['expired', 'later'])
  })

  it('renews an expired row through all', async () => {
    const { table } = all
    await lifetimeOf(table).all.modify(['jeff', 'expired'], (each) => {
      each.expiresOn = at(5)
    })
    expect(await table.exists(['jeff', 'expired'])).toBe(true)
  })

  it('rejects a model without a lifetime, and restore without deletedAt', async () => {
    expect(() => lifetimeOf(freshAccount().account.table(Customer))).toThrow('has no lifetime')
    const sessions = lifetimeOf(world().account.table(Session))
    await expect(sessions.restore({ user: 'a', id: '1' })).rejects.toThrow(
      'lifetime({ deletedAt })',
    )
  })
})

describe('sweep', () => {
  it('deletes expired and deleted rows, and no others', async () => {
    const progress: number[] = []
    const summary = await lifetimeOf(all.table).sweep({
      onProgress: ({ done }) => progress.push(done),
    })
    expect(summary).toMatchObject({ done: 2, skipped: 0 })
    expect(await stored()).toEqual(['later', 'never'])
    expect(progress.at(-1)).toBe(2)
  })

  it('waits as long as olderThan says', async () => {
    const { table, clock } = all
    expect((await lifetimeOf(table).sweep({ olderThan: HOUR })).done).toBe(1)
    expect(await stored()).toEqual(['deleted', 'later', 'never'])
    clock.now = at(1).getTime()
    expect((await lifetimeOf(table).sweep({ olderThan: HOUR })).done).toBe(1)
    expect(await stored()).toEqual(['later', 'never'])
  })

  it('skips a row that is renewed after it was found', async () => {
    const { table, hooks } = all
    const { all: rows } = lifetimeOf(table)
    hooks.before = async ({ method, path }) => {
      if (method === 'GET' || !/\$batch|expired|deleted/.test(path)) return
      hooks.before = async () => undefined
      await rows.modify(['jeff', 'expired'], (each) => {
        each.expiresOn = at(5)
      })
    }
    expect(await lifetimeOf(table).sweep()).toMatchObject({ done: 1, skipped: 1 })
    expect(await stored()).toEqual(['expired', 'later', 'never'])
  })

  it('does not say skipped of a row that it may have deleted before another program stored it', async () => {
    const { account, hooks, table } = all
    await lifetimeOf(table).erase(['jeff', 'deleted'], { etag: '*' })
    let deletes = 0
    hooks.after = async ({ method }) => {
      if (method !== 'DELETE' || ++deletes > 1) return
      await account.table('notes').insert(new DynamicEntity('jeff', 'expired'))
      throw new Error('The response is lost.')
    }
    const summary = await lifetimeOf(table).sweep({ attempts: 2 }).summary()
    expect(deletes).toBe(2)
    expect(summary).toMatchObject({ done: 0, skipped: 0, unknown: 1 })
  })

  it('sweeps one partition', async () => {
    const { table } = all
    await table.insert(Object.assign(note('old', { expiresOn: at(-1) }), { user: "o'neil" }))
    expect((await lifetimeOf(table).sweep({ partitionKey: "o'neil" })).done).toBe(1)
    expect(await stored()).toHaveLength(4)
  })

  it('leaves the rows of other models in the table', async () => {
    const { account } = world()
    const sessions = account.table(Session)
    await sessions.create()
    await account
      .table('sessions')
      .insert({ partitionKey: 'a', rowKey: 'other', expiresOn: at(-1) })
    await sessions.insert({ user: 'a', id: '1', expiresOn: at(-1) })
    expect((await lifetimeOf(sessions).sweep()).done).toBe(1)
    expect(await account.table('sessions').exists(['a', 'other'])).toBe(true)
  })

  it('ends when it is aborted, and rejects an invalid age', async () => {
    const { table } = all
    const signal = AbortSignal.abort()
    await expect(lifetimeOf(table).sweep({ signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect(() => lifetimeOf(table).sweep({ olderThan: -1 })).toThrow(
      'must be a number of milliseconds, 0 or more; got -1',
    )
    expect(await stored()).toHaveLength(4)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '5', null])('rejects the age %s', (olderThan) => {
    expect(() => lifetimeOf(all.table).sweep({ olderThan: olderThan as never })).toThrow(
      'olderThan of sweep of table notes must be a number of milliseconds, 0 or more',
    )
  })

  it('finds nothing that is older than the first time of the service', async () => {
    expect((await lifetimeOf(all.table).sweep({ olderThan: 1e15 })).done).toBe(0)
    expect(await stored()).toHaveLength(4)
  })

  it('rejects other options, such as an etag, and a PartitionKey that is not text', () => {
    const lifetimes = lifetimeOf(all.table)
    expect(() => lifetimes.sweep({ etag: '*' } as never)).toThrow(
      "sweep of table notes has no option 'etag'",
    )
    expect(() => lifetimes.sweep(null as never)).toThrow('The options of sweep of table notes')
    expect(() => lifetimes.sweep({ partitionKey: 5 as never })).toThrow(
      'partitionKey of sweep of table notes must be the stored text of a PartitionKey',
    )
  })

  it.each([undefined, null, 'notes', {}])(
    'lifetimeOf rejects %j, which is not a table',
    (given) => {
      expect(() => lifetimeOf(given as never)).toThrow('lifetimeOf takes a table')
    },
  )
})
