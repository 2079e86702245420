import { Pool } from 'undici'
import { describe, expect, it } from 'vitest'
import { UndiciPool } from '../../../packages/rest/src/http/undici-pool.ts'

describe('UndiciPool', () => {
  it('is the pool that undici exports', () => {
    expect(UndiciPool).toBe(Pool)
  })
})
