import { describe, expect, it } from 'vitest'
import { openPeople } from '../open.ts'

describe('access policies', () => {
  it('stores access policies and returns them', async () => {
    const { people } = await openPeople()
    const start = new Date(Date.UTC(2026, 0))
    const policies = [{ id: 'readers', accessPolicy: { start, permission: 'r' } }]
    await people.setAccessPolicy(policies)
    const stored = await people.getAccessPolicy()
    expect([...stored]).toEqual(policies)
    expect(JSON.stringify(stored[0]?.accessPolicy?.start)).toBe(JSON.stringify(start))
    expect(stored.requestId).toEqual(expect.any(String))
  })

  it('takes null for the start and the end that a policy lacks, not for 1970', async () => {
    const { people } = await openPeople()
    const accessPolicy = { start: null, expiry: null, permission: 'r' } as never
    await people.setAccessPolicy([{ id: 'readers', accessPolicy }])
    const [stored] = await people.getAccessPolicy()
    expect(stored?.accessPolicy).toEqual({ permission: 'r' })
  })
})
