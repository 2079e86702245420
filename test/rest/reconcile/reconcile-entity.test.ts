import { EntityNotFoundError, type ReadResult, TableNotFoundError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import {
  byCondition,
  isOlder,
  judgeDeletion,
  judgeMerge,
  judgeReplacement,
  reconciliationBy,
  settleDeletion,
  settleInsert,
} from '../../../packages/rest/src/reconcile/reconcile-entity.ts'
import { etag, jeff } from '../people.ts'
import { aWitness, refusalOf, storedBefore, storedLately } from './a-witness.ts'

describe('reconciliationBy', () => {
  it('judges what the witness reads', async () => {
    const witness = aWitness(storedLately({}))
    const seen: unknown[] = []
    const { resolve } = reconciliationBy((...evidence) => {
      seen.push(...evidence)
      return 'applied'
    })
    expect(await resolve?.(jeff, witness)).toBe('applied')
    expect(seen).toEqual([jeff, storedLately({}), witness.since])
  })

  it("does not report applied without the service's clock", async () => {
    const { resolve } = reconciliationBy(() => 'applied')
    const undated = { ...aWitness(storedLately({})), isDated: false }
    expect(await resolve?.(jeff, undated)).toBe('unknown')
    expect(await resolve?.(jeff, { ...aWitness(undefined), isDated: false })).toBe('applied')
  })

  it('settles only with the given function', () => {
    const judge = () => 'unknown' as const
    expect(reconciliationBy(judge, settleDeletion).settle).toBe(settleDeletion)
    expect(reconciliationBy(judge)).not.toHaveProperty('settle')
  })
})

const SINCE = Date.UTC(2026, 10, 20, 12)
const OLD = '2026-11-20T11:59:59.9999999Z'
const NEW = '2026-11-20T12:00:00Z'

const found = (timestamp: string, more: object = {}): ReadResult => ({
  raw: { PartitionKey: 'Smith', RowKey: 'Jeff', Timestamp: timestamp, ...more },
  etag: 'W/"1"',
})

describe('isOlder', () => {
  it('compares the Timestamp; an entity without one is not older', () => {
    expect(isOlder(found(OLD), SINCE)).toBe(true)
    expect(isOlder(found(NEW), SINCE)).toBe(false)
    expect(isOlder({ raw: {} }, SINCE)).toBe(false)
  })
})

describe('judges', () => {
  it.each([
    ['nothing', undefined, 'not applied', 'not applied', 'applied'],
    ['what was there before', found(OLD), 'not applied', 'not applied', 'not applied'],
    ['the same, written since', found(NEW), 'applied', 'applied', 'unknown'],
    ['more, written since', found(NEW, { n: 1 }), 'unknown', 'applied', 'unknown'],
  ] as const)('finding %s', (_, stored, replacement, merge, deletion) => {
    expect(judgeReplacement(jeff, stored, SINCE)).toBe(replacement)
    expect(judgeMerge(jeff, stored, SINCE)).toBe(merge)
    expect(judgeDeletion(jeff, stored, SINCE)).toBe(deletion)
  })

  it('do not decide when they find other content', () => {
    const write = { ...jeff, body: '{"n":2}' }
    expect(judgeReplacement(write, found(NEW, { n: 1 }), SINCE)).toBe('unknown')
    expect(judgeMerge(write, found(NEW, { n: 1 }), SINCE)).toBe('unknown')
  })
})

describe('byCondition', () => {
  const judge = byCondition(judgeReplacement)
  const given = (etag: string) => ({ ...jeff, etag })

  it("uses the judge for the ETag '*'", () => {
    expect(judge(given('*'), found(NEW), SINCE)).toBe('applied')
    expect(judge(given('*'), undefined, SINCE)).toBe('not applied')
  })

  it('never says that a write with an ETag was applied', () => {
    expect(judge(given('W/"0"'), found(NEW), SINCE)).toBe('unknown')
    expect(judge(given('W/"0"'), undefined, SINCE)).toBe('unknown')
  })

  it('says not applied when the ETag is unchanged, or the entity is older', () => {
    expect(judge(given('W/"1"'), found(NEW), SINCE)).toBe('not applied')
    expect(judge(given('W/"0"'), found(OLD), SINCE)).toBe('not applied')
  })
})

const conflict = refusalOf(409, 'EntityAlreadyExists')
const unknown = { outcome: 'unknown' }

describe('settleInsert', () => {
  it('rejects because of an entity that is older than the call', async () => {
    const settlement = await settleInsert(conflict, jeff, aWitness(storedBefore({})))
    expect(settlement).toEqual({ outcome: 'rejected', error: conflict })
  })

  it('treats the same content, stored since, as its own', async () => {
    expect(await settleInsert(conflict, jeff, aWitness(storedLately({})))).toEqual({
      outcome: 'applied',
      output: { etag: 'W/"1"', etagIsOwn: false },
    })
  })

  it("decides nothing by the same content without the service's clock", async () => {
    const undated = { ...aWitness(storedLately({})), isDated: false }
    expect(await settleInsert(conflict, jeff, undated)).toEqual(unknown)
  })

  it('returns the entity with echo', async () => {
    const echo = { ...jeff, echo: true }
    const { raw } = storedLately({})
    expect(await settleInsert(conflict, echo, aWitness(storedLately({})))).toMatchObject({
      output: { raw },
    })
  })

  it('decides nothing when other content was stored since', async () => {
    expect(await settleInsert(conflict, jeff, aWitness(storedLately({ n: 1 })))).toEqual(unknown)
  })

  it('decides nothing by another error, or when the entity is missing', async () => {
    const other = refusalOf(404, 'TableNotFound')
    expect(await settleInsert(other, jeff, aWitness(storedLately({})))).toEqual(unknown)
    expect(await settleInsert(conflict, jeff, aWitness(undefined))).toEqual(unknown)
  })
})

const gone = new EntityNotFoundError(refusalOf(404, 'ResourceNotFound'))
const noTable = new TableNotFoundError(refusalOf(404, 'TableNotFound'))

describe('settleDeletion', () => {
  it('treats a missing entity as deleted', () => {
    expect(settleDeletion(gone, { ...jeff, etag: '*' })).toEqual({ outcome: 'applied', output: {} })
  })

  it('decides nothing for a delete with an ETag, or when the table is missing', () => {
    expect(settleDeletion(gone, { ...jeff, etag })).toEqual({ outcome: 'unknown' })
    expect(settleDeletion(noTable, { ...jeff, etag: '*' })).toEqual({ outcome: 'unknown' })
  })
})
