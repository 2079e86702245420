import { describe, expect, it } from 'vitest'
import { KEY_GRANT } from '../../../packages/local/src/request/service-request.ts'

describe('KEY_GRANT', () => {
  it('allows everything', () => {
    expect(KEY_GRANT).toEqual({ kind: 'key' })
  })
})
