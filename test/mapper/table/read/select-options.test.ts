import { describe, expect, it } from 'vitest'
import { SELECT_OPTION_NAMES } from '../../../../packages/mapper/src/table/read/select-options.ts'

describe('SELECT_OPTION_NAMES', () => {
  it('has what every call takes, and select', () => {
    expect(SELECT_OPTION_NAMES).toEqual(expect.arrayContaining(['signal', 'select']))
  })
})
