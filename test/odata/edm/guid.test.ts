import { edmCodecs } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { isGuid } from '../../../packages/odata/src/edm/guid.ts'

const { Guid } = edmCodecs
const UPPER = 'C9DA6455-213D-42C9-9A79-3E9149A57833'

describe('Guid', () => {
  it('holds upper case in lower case', () => {
    expect(Guid.accept(UPPER, 'p')).toBe(UPPER.toLowerCase())
    expect(Guid.readJson(UPPER, 'p')).toBe(UPPER.toLowerCase())
  })

  it('sorts by the bytes of the text', () => {
    const [a, b] = ['00000000-0000-0000-0000-00000000000a', '10000000-0000-0000-0000-000000000000']
    expect(Guid.compare(a as string, b as string)).toBe(-1)
    expect(Guid.compare(b as string, a as string)).toBe(1)
    expect(Guid.compare(a as string, a as string)).toBe(0)
  })

  it.each([`${UPPER}\n`, ` ${UPPER}`, `${UPPER}0`, '', 5, null])('%j is none', (given) => {
    expect(isGuid(given)).toBe(false)
  })
})
