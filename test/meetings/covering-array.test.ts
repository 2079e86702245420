import { describe, expect, it } from 'vitest'
import { type Cell, combinations, coveringArray, tuplesOf } from './covering-array.ts'

const axes = {
  letter: ['a', 'b', 'c', 'd'],
  digit: ['1', '2', '3'],
  colour: ['red', 'green'],
  shape: ['round', 'square', 'flat'],
  size: ['small', 'large'],
}

/** Letter d has no digit but 1, and nothing flat is large. */
const allows = ({ letter, digit, shape, size }: Partial<Cell<typeof axes>>): boolean =>
  !(letter === 'd' && (digit === '2' || digit === '3')) && !(shape === 'flat' && size === 'large')

describe.each([2, 3])('a covering array of strength %i', (strength) => {
  const cells = coveringArray(axes, { strength, seed: 1, allows })

  it('contains each combination that is allowed', () => {
    const covered = new Set(cells.flatMap((cell) => tuplesOf(cell, strength)))
    const allowed = combinations(axes, strength).filter(allows)
    expect(allowed.filter((values) => !covered.has(JSON.stringify(values)))).toEqual([])
  })

  it('contains no combination that is not', () => {
    expect(cells.filter((cell) => !allows(cell))).toEqual([])
  })

  it('is smaller than the list of all cells', () => {
    expect(cells.length).toBeLessThan(combinations(axes, 5).length / 3)
  })

  it('is the same for the same seed', () => {
    expect(coveringArray(axes, { strength, seed: 1, allows })).toEqual(cells)
    expect(coveringArray(axes, { strength, seed: 2, allows })).not.toEqual(cells)
  })

  it('begins with the cells that it is given', () => {
    const first = [{ letter: 'a', digit: '1', colour: 'red', shape: 'flat', size: 'small' }]
    expect(coveringArray(axes, { strength, seed: 1, allows, first })[0]).toEqual(first[0])
  })
})
