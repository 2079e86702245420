import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { placeOf, root, sourceFiles } from './source-files.ts'

const folder = `${root}test/layout/public-names/`
const publicNames = new Set(
  readdirSync(folder).flatMap((file) => readFileSync(folder + file, 'utf8').split('\n')),
)

/** The classes that a program can get from one copy of a package and pass to another. */
const crossing = sourceFiles.flatMap((file) =>
  Array.from(file.text.matchAll(/^export (?:abstract )?class (\w+)/gm), ([, name = '']) => ({
    name,
    place: placeOf(file),
    isBranded: new RegExp(`\\bbrand\\(${name}, 'rowkey\\.`).test(file.text),
  })).filter(({ name }) => publicNames.has(name)),
)

const tested = new Set(
  sourceFiles.flatMap(({ text }) =>
    // Comments are for programs.
    Array.from(
      text.replaceAll(/^ *(?:\/?\*|\/\/).*$/gm, '').matchAll(/\binstanceof (\w+)/g),
      ([, name]) => name,
    ),
  ),
)

describe('a class that crosses between two copies of a package', () => {
  it('is recognized by its brand wherever instanceof asks for it', () => {
    const lacking = crossing.filter(({ name, isBranded }) => tested.has(name) && !isBranded)
    expect(lacking.map(({ name, place }) => `${place}: ${name}`)).toEqual([])
    expect(crossing.filter(({ isBranded }) => isBranded).length).toBeGreaterThan(20)
  })
})
