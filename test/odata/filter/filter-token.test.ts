import { FilterSyntaxError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { syntaxError } from '../../../packages/odata/src/filter/filter-token.ts'

describe('syntaxError', () => {
  it('says place, text and reason', () => {
    const error = syntaxError('aaa bbb', 4, 'no such operator')
    expect(error).toBeInstanceOf(FilterSyntaxError)
    expect(error.message).toBe("Syntax error at position 4 in 'aaa bbb': no such operator.")
    expect(error.position).toBe(4)
  })

  it('shows sixty units around the place', () => {
    const text = `${'a'.repeat(500)}!${'b'.repeat(500)}`
    expect(syntaxError(text, 500, 'x').message).toContain(`'${'a'.repeat(30)}!${'b'.repeat(29)}'`)
  })
})
