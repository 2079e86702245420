import { defineEntity, key, lifetime, lifetimeOf, Operation, union } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { at, Note, note, notes, Session, world } from './notes.ts'

let all: Awaited<ReturnType<typeof notes>>
beforeEach(async () => {
  all = await notes()
})

const hidden = ['expired', 'deleted']

/** Erases a row before the next request with a method. */
function sweepBefore(method: string, id = 'expired'): void {
  const { hooks, table } = all
  hooks.before = async (request) => {
    if (request.method !== method) return
    hooks.before = async () => undefined
    await lifetimeOf(table).erase(['jeff', id], { etag: '*' })
  }
}

describe('reads of a model with a lifetime', () => {
  it.each(hidden)('do not find a row that is %s', async (id) => {
    const { table } = all
    await expect(table.get(['jeff', id])).rejects.toMatchObject({
      name: 'EntityNotFoundError',
      status: 404,
      code: 'ResourceNotFound',
      message: expect.stringContaining('has expired or is deleted'),
    })
    expect(await table.find(['jeff', id])).toBeUndefined()
    expect(await table.find(['jeff', id], { select: ['text'] })).toBeUndefined()
    expect(await table.exists(['jeff', id])).toBe(false)
    expect(await table.getMany([['jeff', id]])).toEqual([undefined])
    expect(await table.execute(Operation.retrieve('jeff', id))).toMatchObject({ entity: undefined })
    expect(await table.batch().retrieve(['jeff', id]).submit()).toEqual([
      { etag: undefined, status: 404 },
    ])
  })

  it.each(['later', 'never'])('find a row that is not due: %s', async (id) => {
    const { table } = all
    expect((await table.get(['jeff', id])).id).toBe(id)
    expect(await table.exists(['jeff', id])).toBe(true)
    const part = await table.get(['jeff', id], { select: ['text'] })
    expect(part).not.toHaveProperty('gone')
    expect(part.text).toBe('')
  })

  it('follow the clock of the account', async () => {
    const { table, clock } = all
    clock.now = at(1).getTime()
    expect(await table.find(['jeff', 'later'])).toBeUndefined()
    clock.now = at(1).getTime() - 1
    expect(await table.find(['jeff', 'later'])).toBeDefined()
  })

  it('reload rejects a row that expired in the meantime', async () => {
    const { table, clock } = all
    const later = await table.get(['jeff', 'later'])
    clock.now = at(2).getTime()
    await expect(table.reload(later)).rejects.toMatchObject({ name: 'EntityNotFoundError' })
  })
})

describe('queries of a model with a lifetime', () => {
  it('leave out hidden rows, and say so to the service', async () => {
    const { table, sent } = all
    const found = await table.query().where({ user: 'jeff' }).toArray()
    expect(found.map(({ id }) => id)).toEqual(['later', 'never'])
    const query = decodeURIComponent(String(sent.at(-1)?.query)).replaceAll('+', ' ')
    expect(query).toContain(
      "(PartitionKey eq 'jeff') and not (expiresOn ge datetime'1601-01-01T00:00:00Z' and " +
        "expiresOn le datetime'2026-11-22T09:00:00.000Z') and not (gone ge datetime'1601-01-01T00:00:00Z')",
    )
  })

  it('do not hide a row whose time another program stored as text, which counts as less than any time', async () => {
    const { account, table } = all
    await account.table('notes').insert(new DynamicEntity('jeff', 'text').set('expiresOn', 'soon'))
    await expect(table.query().where({ user: 'jeff' }).toArray()).rejects.toMatchObject({
      code: 'UnreadableProperty',
    })
  })

  it('leave them out of projections, counts and single rows', async () => {
    const { table } = all
    const ofJeff = table.query().where({ user: 'jeff' })
    const parts = await ofJeff.select('id').toArray()
    expect(parts.map(({ id }) => id)).toEqual(['later', 'never'])
    expect(Object(parts[0]).expiresOn).toBeUndefined()
    expect(await ofJeff.count()).toBe(2)
    expect((await ofJeff.take(1).toArray())[0]?.id).toBe('later')
    expect(await table.query().where({ user: 'jeff', id: 'expired' }).toArray()).toEqual([])
  })

  it('continue with the tokens of earlier pages while time passes and rows expire', async () => {
    const { table, clock } = all
    await table.insert(note('z'))
    const query = table.query().where({ user: 'jeff' })
    const { items, next } = await query.page({ size: 1 })
    expect(items.map(({ id }) => id)).toEqual(['later'])
    clock.now = at(2).getTime()
    const rest = await query.page({ size: 5, token: next })
    expect(rest.items.map(({ id }) => id)).toEqual(['never', 'z'])
    const other = table.query().where({ user: 'anna' })
    await expect(other.page({ size: 1, token: next })).rejects.toMatchObject({
      code: 'InvalidContinuationToken',
    })
  })

  it('iterate over pages while time passes', async () => {
    const { table, clock } = all
    const found: string[] = []
    for await (const page of table.query().where({ user: 'jeff' }).pageSize(1).byPage()) {
      found.push(...page.items.map(({ id }) => id))
      clock.now += 1
    }
    expect(found).toEqual(['later', 'never'])
  })

  it('check each row themselves on Cosmos DB, whose filters treat missing properties otherwise', async () => {
    const { account, sent, clock } = world('cosmos')
    const sessions = account.table(Session)
    await sessions.create()
    await sessions.insert({ user: 'a', id: '1', expiresOn: at(1) })
    await sessions.insert({ user: 'a', id: '2' })
    clock.now = at(2).getTime()
    const found = await sessions.query().where({ user: 'a' }).toArray()
    expect(found.map(({ id }) => id)).toEqual(['2'])
    expect(String(sent.at(-1)?.query)).not.toContain('expiresOn')
  })
})

describe('writes of a model with a lifetime', () => {
  it('an insert replaces an expired row, and later writes of the object work', async () => {
    const { table } = all
    const entity = note('expired', { text: 'new' })
    expect(await table.insert(entity)).toBe(entity)
    expect((await table.get(['jeff', 'expired'])).text).toBe('new')
    entity.text = 'newer'
    await table.merge(entity)
    expect((await table.get(['jeff', 'expired'])).text).toBe('newer')
  })

  it('an insert over an expired row is repeated by its idempotencyKey', async () => {
    const { table } = await notes()
    const again = () => Object.assign(new Note(), { user: 'jeff', id: 'expired', text: 'again' })
    await table.insert(again(), { idempotencyKey: 'again' })
    await table.insert(again(), { idempotencyKey: 'again' })
    expect(await table.get(['jeff', 'expired'])).toMatchObject({ text: 'again' })
  })

  it('an insert over an expired row stores the entity as it was when the insert was called', async () => {
    const { table } = all
    const entity = note('expired', { text: 'new' })
    const insert = table.insert(entity)
    entity.text = 'newer'
    expect(await insert).toBe(entity)
    expect((await table.get(['jeff', 'expired'])).text).toBe('new')
    await table.merge(entity)
    expect((await table.get(['jeff', 'expired'])).text).toBe('newer')
  })

  it('an operation that inserts replaces an expired row, and no live one', async () => {
    const { table } = all
    const entity = note('expired', { text: 'new' })
    const { entity: stored, etag } = await table.execute(Operation.insert(entity))
    expect([stored, etag]).toEqual([entity, expect.any(String)])
    expect((await table.get(['jeff', 'expired'])).text).toBe('new')
    await expect(table.execute(Operation.insert(note('later')))).rejects.toMatchObject({
      name: 'EntityAlreadyExistsError',
    })
  })

  it.each(['GET', 'PUT'])(
    'an insert stores its row when a sweep is first, before its %s',
    async (method) => {
      const { table } = all
      sweepBefore(method)
      await table.insert(note('expired', { text: 'new' }))
      expect((await table.get(['jeff', 'expired'])).text).toBe('new')
    },
  )

  it.each(['expired', 'later'])(
    'modify with orInsert inserts row %s when it is erased in between',
    async (id) => {
      const { table } = all
      sweepBefore(id === 'expired' ? 'PUT' : 'PATCH', id)
      const orInsert = note(id, { text: 'fresh' })
      const change = (each: Note) => {
        each.text = 'changed'
      }
      expect((await table.modify(['jeff', id], change, { orInsert })).text).toBe('fresh')
      expect((await table.get(['jeff', id])).text).toBe('fresh')
    },
  )

  it('an insert over an expired row completes while the account closes with drain', async () => {
    const { account, table } = await notes()
    const insert = table.insert(note('expired', { expiresOn: at(5) }))
    await account.close({ drain: true })
    expect((await insert).expiresOn).toEqual(at(5))
  })

  it('the deadline of an insert covers the requests that replace an expired row', async () => {
    const { table, clock, hooks, sent } = all
    hooks.after = async () => {
      clock.now += 6_000
    }
    await expect(table.insert(note('expired'), { deadline: 10_000 })).rejects.toMatchObject({
      code: 'DeadlineExceeded',
    })
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })

  it('an insert rejects a live row, and one that can be restored', async () => {
    const { table } = all
    const name = 'EntityAlreadyExistsError'
    await expect(table.insert(note('later'))).rejects.toMatchObject({ name })
    await expect(table.insert(note('deleted'))).rejects.toMatchObject({
      name,
      message: expect.stringContaining('can be restored'),
    })
  })

  it('an insert never replaces a row of another type, whose times mean something else', async () => {
    const { account } = all
    const Typed = defineEntity({
      name: 'notes',
      partitionKey: key`${'user'}`,
      rowKey: key`${'id'}`,
      discriminator: { type: 'note' },
      schema: z.object({ user: z.string(), id: z.string(), expiresOn: z.date().optional() }),
      lifetime: lifetime({ expiresAt: 'expiresOn' }),
    })
    const [typed, rows] = [account.table(Typed), account.table('notes')]
    await rows.insert(new DynamicEntity('jeff', 'memo', { type: 'memo', expiresOn: at(-1) }))
    const orInsert = { user: 'jeff', id: 'memo' }
    const taken = { name: 'EntityAlreadyExistsError', message: expect.stringContaining('type') }
    await expect(typed.insert(orInsert)).rejects.toMatchObject(taken)
    await expect(typed.modify(['jeff', 'memo'], () => {}, { orInsert })).rejects.toMatchObject(
      taken,
    )
    expect((await rows.get(['jeff', 'memo'])).get('type')?.value).toBe('memo')
    await rows.merge(new DynamicEntity('jeff', 'memo', { type: 'note' }), { etag: '*' })
    await typed.insert(orInsert)
    expect(await typed.find(['jeff', 'memo'])).toEqual(orInsert)
  })

  it('a delete stores its time under the condition of the ETag', async () => {
    const { table, sent, account } = all
    const never = await table.get(['jeff', 'never'])
    await table.delete(never)
    expect(sent.at(-1)?.headers['if-match'] ?? sent.at(-1)?.headers['If-Match']).toBeDefined()
    const row = await account.table('notes').get(['jeff', 'never'])
    expect(row.properties.get('gone')?.value).toEqual(at(0))
    expect(await table.find(['jeff', 'never'])).toBeUndefined()
    await expect(table.delete(never)).rejects.toMatchObject({ status: 412 })
  })

  it('deletes of batches, bulk writes and operations are soft, too', async () => {
    const { table, account } = all
    await table.batch().delete(['jeff', 'later'], { etag: '*' }).submit()
    await table.bulk().delete([await table.get(['jeff', 'never'])])
    await table.insert(note('one'))
    await table.execute(Operation.delete(['jeff', 'one'], { etag: '*' }))
    expect(await table.query().where({ user: 'jeff' }).toArray()).toEqual([])
    expect(await account.table('notes').query().where({ partitionKey: 'jeff' }).count()).toBe(5)
  })

  it('deleteIfExists tells whether the row exists', async () => {
    const { table } = all
    expect(await table.deleteIfExists(['jeff', 'never'], { etag: '*' })).toBe(true)
    expect(await table.deleteIfExists(['jeff', 'missing'], { etag: '*' })).toBe(false)
  })

  it('deleteIfExists with a key deletes nothing when it is repeated', async () => {
    const { table } = all
    const options = { etag: '*', idempotencyKey: 'gone' }
    expect(await table.deleteIfExists(['jeff', 'new'], options)).toBe(false)
    await table.insert(note('new'))
    expect(await table.deleteIfExists(['jeff', 'new'], options)).toBe(false)
    expect(await table.find(['jeff', 'new'])).toBeDefined()
  })

  it('modify treats a hidden row as missing', async () => {
    const { table } = all
    const change = (each: Note) => {
      each.text += 'x'
    }
    await expect(table.modify(['jeff', 'expired'], change)).rejects.toMatchObject({
      name: 'EntityNotFoundError',
    })
    const orInsert = note('expired', { text: 'fresh' })
    expect((await table.modify(['jeff', 'expired'], change, { orInsert })).text).toBe('fresh')
    expect((await table.modify(['jeff', 'expired'], change, { orInsert })).text).toBe('freshx')
    await expect(
      table.modify(['jeff', 'deleted'], change, { orInsert: note('deleted') }),
    ).rejects.toMatchObject({ name: 'EntityAlreadyExistsError' })
  })

  it('a model that only expires deletes for good', async () => {
    const { account } = world()
    const sessions = account.table(Session)
    await sessions.create()
    await sessions.insert({ user: 'a', id: '1' })
    await sessions.delete({ user: 'a', id: '1' }, { etag: '*' })
    expect(await account.table('sessions').find(['a', 's_1'])).toBeUndefined()
  })
})

describe('lifetime', () => {
  it('does not work in unions, which would show expired rows', () => {
    expect(() => union(Note)).toThrow(
      /^Note.*lifetime, which unions do not support.*Open a table of this model alone\./,
    )
  })
})
