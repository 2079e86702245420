import { declareOutbox } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { announcedTo } from '../announcing.ts'
import { defineNote, notesOfTenants } from '../notes-of-tenants.ts'

describe('indexes and summaries of the rows of one tenant', () => {
  it('reject another tenant before anything is sent, and tables of other rows', async () => {
    const { account, sent, Note, indexes, summaries, acme } = await notesOfTenants()
    const other = { tenant: 'b', tag: 'x', size: 1 } as never
    const calls = [
      () => indexes.on(acme).find('size', other),
      () => indexes.on(acme).refresh(other),
      () => summaries.on(acme).get('all', other),
      () => summaries.on(acme).query('byTag', other).next(),
    ]
    for (const call of calls) {
      await expect(call(), String(call)).rejects.toMatchObject({ code: 'OutsideWithin' })
    }
    const wrong = { code: 'InvalidPatternOption', message: expect.stringContaining('within') }
    for (const table of [
      account.table(Note),
      account.table(defineNote()).within({ tenant: 'a' }),
    ]) {
      expect(() => indexes.on(table as never)).toThrow(expect.objectContaining(wrong))
      expect(() => summaries.on(table as never)).toThrow(expect.objectContaining(wrong))
    }
    expect(sent).toEqual([])
    const byTenant = indexes.on(acme).query('everywhere', { tag: 'x', tenant: 'b' } as never)
    expect(await byTenant.toArray()).toEqual([])
  })

  it('are opened by a table, as large values are; an outbox takes an account', async () => {
    const { Note, acme } = await notesOfTenants()
    const outbox = declareOutbox(Note, { messages: () => [], ...announcedTo() })
    const wrong = { code: 'InvalidPatternOption', message: expect.stringContaining('an account') }
    expect(() => outbox.on(acme as never)).toThrow(expect.objectContaining(wrong))
  })
})
