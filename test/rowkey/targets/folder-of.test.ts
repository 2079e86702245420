import { describe, expect, it } from 'vitest'
import { folderOf } from '../../../packages/rowkey/src/targets/folder-of.ts'

describe('folderOf', () => {
  it.each([
    ['file:./data', './data'],
    ['file:data', 'data'],
    ['file:../my data', '../my data'],
    [' FILE:./data\n', './data'],
    ['file:/var/data', '/var/data'],
    ['file:///var/my%20data', '/var/my data'],
    ['file://localhost/var/data', '/var/data'],
    ['file:C:\\data', 'C:\\data'],
    ['file:///C:/data', 'C:/data'],
    ['file:./100%', './100%'],
  ])('reads %j as %j', (target, folder) => {
    expect(folderOf(target)).toBe(folder)
  })

  it.each(['file:', 'file: ', 'file://', 'file://server/share', 'file:///a%zz'])(
    'rejects %j',
    (target) => {
      expect(() => folderOf(target)).toThrow(expect.objectContaining({ code: 'InvalidTarget' }))
    },
  )
})
