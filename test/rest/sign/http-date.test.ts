import { describe, expect, it } from 'vitest'
import { printHttpDate } from '../../../packages/rest/src/sign/http-date.ts'

const AT = Date.UTC(2021, 8, 21, 1, 6, 13)

describe('printHttpDate', () => {
  it('R-63: is RFC 1123 in GMT', () => {
    expect(printHttpDate(AT)).toBe('Tue, 21 Sep 2021 01:06:13 GMT')
  })

  it('changes with the second and not within it, forwards and back', () => {
    expect(printHttpDate(AT + 999)).toBe('Tue, 21 Sep 2021 01:06:13 GMT')
    expect(printHttpDate(AT + 1000)).toBe('Tue, 21 Sep 2021 01:06:14 GMT')
    expect(printHttpDate(AT - 1)).toBe('Tue, 21 Sep 2021 01:06:12 GMT')
  })
})
