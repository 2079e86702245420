import { describe, expect, it } from 'vitest'
import { RecordDraft } from '../../../packages/local/src/durable/record-draft.ts'
import { TOTALS_KEY } from '../../../packages/local/src/durable/record-key.ts'
import {
  NO_TOTALS,
  printTotals,
  sealOf,
  sealText,
  unsealText,
} from '../../../packages/local/src/durable/sealed-text.ts'

const [A, B] = ['a', 'b']

function draftOf(stored: Readonly<Record<string, string>>): RecordDraft {
  return new RecordDraft({
    read: (key) => {
      const text = stored[key]
      return text === undefined ? undefined : sealText(key, text)
    },
    unseal: (key, sealed) => unsealText(key, sealed) ?? expect.fail('damaged'),
  })
}

describe('RecordDraft', () => {
  it('reads what is stored, and then what was written over it', () => {
    const draft = draftOf({ a: 'old' })
    expect(draft.get(A)).toBe('old')
    draft.put(A, 'new')
    expect(draft.get(A)).toBe('new')
    draft.delete(A)
    expect(draft.get(A)).toBeUndefined()
  })

  it('lists each record once for the engine, with the totals last', () => {
    const draft = draftOf({ a: 'old' })
    draft.delete(A)
    draft.put(B, 'one')
    draft.put(B, 'two')
    const before = { commits: 1, records: 1, sum: sealOf(sealText(A, 'old')) }
    const { operations, totals } = draft.commit(before)
    expect(totals).toEqual({ commits: 2, records: 1, sum: sealOf(sealText(B, 'two')) })
    expect(operations).toEqual([
      { type: 'del', key: A },
      { type: 'put', key: B, value: sealText(B, 'two') },
      { type: 'put', key: TOTALS_KEY, value: sealText(TOTALS_KEY, printTotals(totals)) },
    ])
  })

  it('lists nothing without changes', () => {
    const draft = draftOf({ a: 'old' })
    draft.get(A)
    draft.delete(B)
    draft.put(A, 'new')
    draft.put(A, 'old')
    expect(draft.commit(NO_TOTALS)).toEqual({ operations: [], totals: NO_TOTALS })
  })

  it('throws for a damaged record, and can replace it', () => {
    const draft = new RecordDraft({
      read: () => '00000000damaged',
      unseal: () => {
        throw new RangeError('damaged')
      },
    })
    expect(() => draft.get(A)).toThrow('damaged')
    draft.put(A, 'new')
    expect(draft.get(A)).toBe('new')
    expect(draft.commit(NO_TOTALS).operations[0]).toMatchObject({ type: 'put', key: A })
  })
})
