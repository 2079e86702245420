import { describe, expect, it } from 'vitest'
import { withoutTrailingSlashes } from '../../../packages/rest/src/connection/without-trailing-slashes.ts'

describe('withoutTrailingSlashes', () => {
  it.each([
    ['/', ''],
    ['/a', '/a'],
    ['/a//', '/a'],
  ])('makes %j into %j', (path, base) => {
    expect(withoutTrailingSlashes(path)).toBe(base)
  })
})
