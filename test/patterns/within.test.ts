import { defineEntity, key } from '@rowkey/mapper'
import { declareIndexes, declareOutbox, declareSummaries } from '@rowkey/patterns'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { announcedTo } from './announcing.ts'
import { office } from './employees.ts'

const defineNote = () =>
  defineEntity({
    name: 'notes',
    partitionKey: key`${'tenant'}`,
    rowKey: key`note_${'id:4'}`,
    schema: z.object({ tenant: z.string(), id: z.int(), tag: z.string(), size: z.int() }),
  })

it('writes and queries within the rows of one tenant keep and use what is declared', async () => {
  const { account } = office()
  const Note = defineNote()
  const indexes = declareIndexes(Note, {
    tag: { rowKey: key`${'tag'}_${'id:4'}` },
    size: { rowKey: key`${'size:4'}`, unique: true },
  }).on(account)
  const summaries = declareSummaries(Note, { all: { rowKey: key`all`, sums: ['size'] } }).on(
    account,
  )
  const outbox = declareOutbox(Note, {
    messages: ({ after }) => (after ? [after.id] : []),
    ...announcedTo(),
  }).on(account)
  await account.table(Note).create()
  const notes = account.table(Note).within({ tenant: 'a' })
  await notes.insert({ id: 1, tag: 'x', size: 5 })
  await notes
    .batch()
    .insert({ id: 2, tag: 'x', size: 6 })
    .insert({ id: 3, tag: 'y', size: 7 })
    .submit()
  await account.table(Note).insert({ tenant: 'b', id: 1, tag: 'x', size: 5 })
  const query = notes.query().where({ tag: 'x' })
  expect(query.explain().index).toBe('tag')
  expect((await query.toArray()).map(({ id }) => id)).toEqual([1, 2])
  expect(await indexes.find('size', { tenant: 'a', size: 6 })).toMatchObject({ id: 2 })
  expect((await summaries.get('all', { tenant: 'a' })).sums.size).toBe(18)
  expect(await outbox.pending({ tenant: 'a' })).toEqual([1, 2, 3])
  await notes.deleteAll()
  expect((await summaries.get('all', { tenant: 'a' })).count).toBe(0)
  expect((await summaries.get('all', { tenant: 'b' })).count).toBe(1)
  expect(await indexes.verify()).toMatchObject({ rows: 1, kept: 2, found: 0 })
})
