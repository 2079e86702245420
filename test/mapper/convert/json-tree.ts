import fc from 'fast-check'

/** JSON as a tree that keeps how each number is spelled: what a text means to a reader with exact numbers. */
export type JsonTree =
  | { readonly text: string }
  | { readonly items: JsonTree[] }
  | { readonly members: [name: string, value: JsonTree][] }

const NUMBERS = [
  '0',
  '-0',
  '1',
  '-7',
  '1.0',
  '1e2',
  '0.1',
  '0.10000000000000001',
  '9007199254740992',
  '9007199254740993',
  '12345678901234567890',
  '12345678901234567891',
  '12345678901234567168',
  '0.1234567890123456789',
  '0.1234567890123456788',
  '1e999',
  '-1e999',
  '2E+400',
  '0.1e-400',
]
const NAMES = ['a', 'b', 'id', '10', '2', '__proto__', 'é', 'x y']

const leaf = fc.constantFrom(...NUMBERS, '"x"', '""', '"\\ud800"', '"\\u0041"', 'true', 'null')

/** Random JSON, with numbers that JavaScript cannot tell apart, and without names given twice. */
export const jsonTrees: fc.Arbitrary<JsonTree> = fc.letrec<{ tree: JsonTree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf.map((text) => ({ text })),
    fc.array(tie('tree'), { maxLength: 4 }).map((items) => ({ items })),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), tie('tree')), {
        maxLength: 4,
        selector: ([name]) => name,
      })
      .map((members) => ({ members })),
  ),
})).tree

/** A tree as JSON text, with the blanks given between its marks. */
export function printTree(tree: JsonTree, blank: string): string {
  if ('text' in tree) return tree.text
  if ('items' in tree) {
    return `[${blank}${tree.items.map((item) => printTree(item, blank)).join(`${blank},`)}${blank}]`
  }
  const members = tree.members.map(
    ([name, value]) => `${JSON.stringify(name)}${blank}:${blank}${printTree(value, blank)}`,
  )
  return `{${members.join(`${blank},${blank}`)}${blank}}`
}

/** What JavaScript makes of a tree. */
export function parseTree(tree: JsonTree): unknown {
  return JSON.parse(printTree(tree, ''))
}
