import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseView, printView, tableView, type View } from '../../../packages/studio/page/view.ts'

const parsed = (address: string): View => {
  const { pathname, search } = new URL(address, 'http://127.0.0.1')
  return parseView(pathname, search)
}

describe('the address of a view', () => {
  it('is short, and readable', () => {
    const people = tableView('contoso', 'people')
    expect(printView(tableView('contoso', undefined))).toBe('/contoso')
    expect(printView(people)).toBe('/contoso/people')
    expect(
      printView({
        ...people,
        filter: 'age gt 3',
        columns: ['age', 'city'],
        size: 100,
        isScan: true,
        isKept: true,
      }),
    ).toBe('/contoso/people?filter=age+gt+3&columns=age%2Ccity&size=100&scan=1&kept=1')
    const open = { partition: '', row: 'Jeff' }
    expect(printView({ ...people, token: 'abc', open })).toBe(
      '/contoso/people?token=abc&partition=&row=Jeff',
    )
  })

  it('is the whole view', () => {
    const text = fc.string({ unit: 'grapheme' })
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((each) => !/^\.{1,2}$/.test(each))
    const view = fc.record({
      account: name,
      table: name,
      filter: text,
      columns: fc.array(fc.stringMatching(/^[a-z]+$/)),
      size: fc.integer({ min: 1, max: 1000 }),
      token: fc.option(text, { nil: undefined }),
      isScan: fc.boolean(),
      isKept: fc.boolean(),
      open: fc.option(fc.record({ partition: text, row: text }), { nil: undefined }),
    })
    fc.assert(
      fc.property(view, (each) => {
        expect(parsed(printView(each))).toEqual(each)
      }),
    )
  })

  it.each([
    ['/', { account: '', table: undefined }],
    ['/contoso/', { account: 'contoso', table: undefined }],
    ['/contoso/%zz', { table: '%zz' }],
    ['/contoso/people?size=0', { size: 50 }],
    ['/contoso/people?size=5000', { size: 50 }],
    ['/contoso/people?size=x', { size: 50 }],
    ['/contoso/people?partition=a', { open: undefined }],
    ['/contoso/people?columns=,,age', { columns: ['age'] }],
    ['/contoso/people?unknown=1&scan=yes', { isScan: false }],
  ])('%s is read as far as it can be read', (address, view) => {
    expect(parsed(address)).toMatchObject(view)
  })
})
