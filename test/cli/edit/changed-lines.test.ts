import { DynamicEntity } from 'rowkey'
import { expect, it } from 'vitest'
import { changedLines } from '../../../packages/cli/src/edit/changed-lines.ts'

const stored = new DynamicEntity('a', 'b', { points: 5n, name: 'x', flag: true })

it('lists what changes', () => {
  const after = new DynamicEntity('a', 'b', { points: 5n, name: 'y', more: 1, red: '\u009b31m' })
  expect(changedLines(stored, after)).toEqual([
    '- name:String="x"',
    '+ name:String="y"',
    '- flag:Boolean="true"',
    '+ more:Int32="1"',
    '+ red:String="\\u009b31m"',
  ])
  expect(changedLines(undefined, undefined)).toEqual([])
})
