import { describe, expect, it } from 'vitest'
import { entityReconciliation } from '../../../packages/rest/src/truth/entity-reconciliation.ts'
import { settleDeletion } from '../../../packages/rest/src/truth/settle-deletion.ts'
import { jeff } from '../people.ts'
import { aWitness, storedLately } from './a-witness.ts'

describe('entityReconciliation', () => {
  it('shows the judge what the witness reads', async () => {
    const witness = aWitness(storedLately({}))
    const seen: unknown[] = []
    const { resolve } = entityReconciliation((...evidence) => {
      seen.push(...evidence)
      return 'applied'
    })
    expect(await resolve?.(jeff, witness)).toBe('applied')
    expect(seen).toEqual([jeff, storedLately({}), witness.since])
  })

  it("takes nothing for applied by what is stored when nobody knows the service's clock", async () => {
    const { resolve } = entityReconciliation(() => 'applied')
    const undated = { ...aWitness(storedLately({})), isDated: false }
    expect(await resolve?.(jeff, undated)).toBe('unknown')
    expect(await resolve?.(jeff, { ...aWitness(undefined), isDated: false })).toBe('applied')
  })

  it('settles what it was told to settle, and nothing else', () => {
    const judge = () => 'unknown' as const
    expect(entityReconciliation(judge, settleDeletion).settle).toBe(settleDeletion)
    expect(entityReconciliation(judge)).not.toHaveProperty('settle')
  })
})
