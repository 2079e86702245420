import { describe, expect, it } from 'vitest'
import { CREATE_OPTION_NAMES } from '../../../../packages/mapper/src/table/admin/create-options.ts'

describe('CREATE_OPTION_NAMES', () => {
  it('has what every call takes, and how long to wait', () => {
    expect(CREATE_OPTION_NAMES).toEqual(expect.arrayContaining(['signal', 'waitForDeletion']))
  })
})
