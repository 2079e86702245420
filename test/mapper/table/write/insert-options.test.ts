import { describe, expect, it } from 'vitest'
import { INSERT_OPTION_NAMES } from '../../../../packages/mapper/src/table/write/insert-options.ts'

describe('INSERT_OPTION_NAMES', () => {
  it('has what every call takes, and echo', () => {
    expect(INSERT_OPTION_NAMES).toEqual(expect.arrayContaining(['signal', 'echo']))
  })
})
