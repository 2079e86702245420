import { describe, expect, it } from 'vitest'
import { jones } from '../employees.ts'
import { staffed } from './followed-staff.ts'

describe('verify, repair and build', () => {
  it('do not count what the workers still have to do', async () => {
    const { main } = await staffed()
    await main.employees.insert({ ...jones })
    expect(await main.indexed.verify()).toMatchObject({ rows: 1, kept: 0, found: 0 })
    await main.jobs.drain()
    expect(await main.indexed.verify()).toMatchObject({ rows: 1, kept: 2, found: 0 })
  })
})
