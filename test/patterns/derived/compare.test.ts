import { describe, expect, it } from 'vitest'
import { grown } from '../indexes/grown-staff.ts'

describe('verify and repair', () => {
  it('reject an unknown place to continue', async () => {
    const { indexed } = await grown(1)
    await expect(indexed.verify({ from: 'nowhere' })).rejects.toMatchObject({
      code: 'InvalidPatternOption',
    })
  })
})
