import {
  BatchError,
  deleteEntity,
  insertEntity,
  insertOrReplaceEntity,
  mergeEntity,
  type Witness,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { changeSetReconciliation } from '../../../packages/rest/src/reconcile/reconcile-change-set.ts'
import { etag, jeff } from '../people.ts'
import { aWitness, refusalOf, storedBefore, storedLately } from './a-witness.ts'

const insert = { operation: insertEntity, input: jeff }
const merge = { operation: mergeEntity, input: { ...jeff, etag } }
const upsert = { operation: insertOrReplaceEntity, input: jeff }
const remove = { operation: deleteEntity, input: { ...jeff, body: '', etag: '*' } }
const conflict = new BatchError({
  ...refusalOf(409, 'EntityAlreadyExists'),
  message: 'Change 1 failed',
  index: 1,
  change: { operation: 'insertEntity', key: jeff.key },
})
const ours = storedLately({})
const other = storedLately({ n: 1 })
const old = storedBefore({})

const { settle, resolve } = changeSetReconciliation

describe('changeSetReconciliation', () => {
  it('settles inserts that are all stored, with their ETags', async () => {
    const changes = [insert, insert]
    expect(await settle?.(conflict, { changes }, aWitness(ours))).toEqual({
      outcome: 'applied',
      output: [
        { etag: 'W/"1"', etagIsOwn: false },
        { etag: 'W/"1"', etagIsOwn: false },
      ],
    })
  })

  it('rejects because of one entity that is older than the call', async () => {
    const changes = [insert, insert]
    expect(await settle?.(conflict, { changes }, aWitness(ours, old))).toEqual({
      outcome: 'rejected',
      error: conflict,
    })
  })

  it('settles all changes by one insert that is stored, without ETags for the others', async () => {
    const proof = { etag: 'W/"1"', etagIsOwn: false }
    for (const [change, stored] of [
      [merge, other],
      [upsert, ours],
      [remove, undefined],
    ] as const) {
      const changes = [change, insert]
      expect(await settle?.(conflict, { changes }, aWitness(stored, ours))).toEqual({
        outcome: 'applied',
        output: [{}, proof],
      })
    }
  })

  it('reads nothing for a transaction without inserts, which nothing can prove', async () => {
    const witness = { ...aWitness(), entity: () => expect.fail('nothing needs to be read') }
    const changes = [merge, upsert, remove]
    expect(await settle?.(conflict, { changes }, witness)).toEqual({ outcome: 'unknown' })
  })

  it("decides nothing by an operation of the caller's own that cannot tell", async () => {
    const { settle: ofInsert } = insertEntity.reconcile ?? {}
    const own = { operation: { ...insertEntity, reconcile: { settle: ofInsert } }, input: jeff }
    const changes = [own]
    const settled = settle?.(conflict, { changes: changes as never }, aWitness(ours))
    expect(await settled).toEqual({ outcome: 'unknown' })
  })

  it('decides nothing when another change was certainly not applied', async () => {
    const unknown = { outcome: 'unknown' }
    const unchanged = { ...ours, etag }
    const changes = [insert, merge]
    expect(await settle?.(conflict, { changes }, aWitness(ours, unchanged))).toEqual(unknown)
  })

  it('decides nothing when an entity does not hold what another change sent', async () => {
    const changes = [{ ...merge, input: { ...merge.input, body: '{"n":2}' } }, insert]
    const witness = () => aWitness(other, ours)
    expect(await settle?.(conflict, { changes }, witness())).toEqual({ outcome: 'unknown' })
    expect(await resolve?.({ changes }, witness())).toBe('unknown')
    const held = storedLately({ n: 2, text: 'x' })
    expect(await settle?.(conflict, { changes }, aWitness(held, ours))).toMatchObject({
      outcome: 'applied',
    })
    expect(await resolve?.({ changes }, aWitness(held, ours))).toBe('applied')
  })

  it('decides nothing when the row of one insert has other content, although another insert is stored', async () => {
    const changes = [insert, insert]
    for (const rows of [
      [ours, other],
      [other, ours],
    ]) {
      expect(await settle?.(conflict, { changes }, aWitness(...rows))).toEqual({
        outcome: 'unknown',
      })
      expect(await resolve?.({ changes }, aWitness(...rows))).toBe('unknown')
    }
  })

  it('decides nothing when the row of a delete is stored', async () => {
    const changes = [remove, insert]
    const witness = () => aWitness(other, ours)
    expect(await settle?.(conflict, { changes }, witness())).toEqual({ outcome: 'unknown' })
    expect(await resolve?.({ changes }, witness())).toBe('unknown')
  })

  it('decides nothing when an entity is missing, or no insert proves it', async () => {
    const unknown = { outcome: 'unknown' }
    expect(await settle?.(conflict, { changes: [insert] }, aWitness(undefined))).toEqual(unknown)
    expect(await settle?.(conflict, { changes: [insert] }, aWitness(other))).toEqual(unknown)
    for (const change of [merge, upsert, remove]) {
      expect(await settle?.(conflict, { changes: [change] }, aWitness(ours))).toEqual(unknown)
    }
  })

  it.each([
    ['inserts that are there', [insert, insert], [ours, ours], 'applied'],
    ['one change that certainly was not made', [insert, insert], [ours, old], 'not applied'],
    [
      'inserts, one of whose rows may have been deleted',
      [insert, insert],
      [ours, undefined],
      'unknown',
    ],
    ['inserts that are all missing', [insert, insert], [undefined], 'not applied'],
    ['an insert beside an undecidable change', [merge, insert], [other, ours], 'applied'],
    ['an ETag that is still there', [insert, merge], [ours, { ...ours, etag }], 'not applied'],
    ['an upsert that may have been there before', [upsert], [ours], 'unknown'],
    ['an undecidable change', [merge], [other], 'unknown'],
  ])('resolves by %s', async (_, changes, entities, outcome) => {
    expect(await resolve?.({ changes }, aWitness(...entities))).toBe(outcome)
  })

  it.each([
    ['an insert', insert, ours, 'applied'],
    ['a merge', merge, old, 'not applied'],
  ])('resolves %s by the clock that its own read has shown', async (_, change, stored, outcome) => {
    const { since, ...others } = aWitness()
    let isDated = false
    const witness: Witness = {
      ...others,
      get since() {
        return isDated ? since : Number.NEGATIVE_INFINITY
      },
      get isDated() {
        return isDated
      },
      async entity() {
        isDated = true
        return stored
      },
    }
    expect(await resolve?.({ changes: [change] }, witness)).toBe(outcome)
  })

  it('leaves operations without resolve unknown', async () => {
    const { reconcile: _, ...blind } = mergeEntity
    const changes = [{ operation: blind, input: jeff }]
    expect(await resolve?.({ changes }, aWitness(ours))).toBe('unknown')
  })
})
