import { Pool } from 'undici'
import { describe, expect, it } from 'vitest'
import { loadUndiciPool } from '../../../packages/rest/src/http/undici-pool.ts'

describe('loadUndiciPool', () => {
  it('gives the pool that undici exports', async () => {
    expect(await loadUndiciPool()).toBe(Pool)
  })
})
