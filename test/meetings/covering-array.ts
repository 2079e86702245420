/** The values of each axis, by its name. */
export type Axes = Readonly<Record<string, readonly string[]>>

/** One value of each axis. */
export type Cell<Given extends Axes = Axes> = { readonly [Name in keyof Given]: string }

/** What a covering array must contain. */
export interface CoveringOptions<Given extends Axes> {
  /** How many axes meet: 2 covers all pairs of values, 3 all triples. */
  readonly strength: number
  /** The same seed gives the same array. */
  readonly seed: number
  /** Tells whether some values can meet. Absent axes are open. */
  readonly allows: (values: Partial<Cell<Given>>) => boolean
  /** Cells that the array contains in any case. */
  readonly first?: readonly Cell<Given>[]
}

/** So many cells are tried for each cell of the array. */
const CANDIDATES = 4

/**
 * Makes a list of cells in which each combination of values that is allowed occurs at least once. It is greedy: each cell
 * begins with a combination that is missing, and takes the values that add most.
 *
 * @param axes - the axes, each with its values
 * @param options - how many axes meet, and which values can
 */
export function coveringArray<Given extends Axes>(
  axes: Given,
  { strength, seed, allows, first = [] }: CoveringOptions<Given>,
): readonly Cell<Given>[] {
  const random = randomOf(seed)
  const missing = new Set<string>()
  for (const values of combinations(axes, strength)) {
    if (completed(axes, values, allows) !== undefined) missing.add(JSON.stringify(values))
  }
  const cells = [...first]
  for (const cell of cells) for (const covered of tuplesOf(cell, strength)) missing.delete(covered)
  for (const begin of missing) {
    const candidates = Array.from({ length: CANDIDATES }, () =>
      grown(axes, JSON.parse(begin), { strength, allows, random, missing }),
    )
    const gains = candidates.map((cell) => gainOf(tuplesOf(cell, strength), missing))
    const best = candidates[gains.indexOf(Math.max(...gains))] as Cell<Given>
    cells.push(best)
    for (const covered of tuplesOf(best, strength)) missing.delete(covered)
  }
  return cells
}

/** Returns each combination of the values of so many axes, in the order of the axes. */
export function combinations<Given extends Axes>(
  axes: Given,
  strength: number,
): readonly Partial<Cell<Given>>[] {
  let partial: readonly (readonly [string, string][])[] = [[]]
  const all: Partial<Cell<Given>>[] = []
  for (const [name, values] of Object.entries(axes)) {
    const longer = partial.flatMap((one) =>
      values.map((value): [string, string][] => [...one, [name, value]]),
    )
    for (const each of longer) {
      if (each.length === strength) all.push(Object.fromEntries(each) as Partial<Cell<Given>>)
    }
    partial = [...partial, ...longer.filter(({ length }) => length < strength)]
  }
  return all
}

interface Growth<Given extends Axes> {
  readonly strength: number
  readonly allows: CoveringOptions<Given>['allows']
  readonly random: (below: number) => number
  readonly missing: ReadonlySet<string>
}

/** Adds a value of each open axis: the one that adds most, among those that leave a cell possible. */
function grown<Given extends Axes>(
  axes: Given,
  begin: Partial<Cell<Given>>,
  { strength, allows, random, missing }: Growth<Given>,
): Cell<Given> {
  let cell = begin
  const open = Object.keys(axes).filter((name) => !(name in begin))
  for (const name of shuffled(open, random)) {
    const longer = shuffled(axes[name] ?? [], random).map((value) => ({ ...cell, [name]: value }))
    const byGain = longer
      .map((each) => ({ each, gain: gainOf(tuplesOf(inOrder(axes, each), strength), missing) }))
      .sort((one, other) => other.gain - one.gain)
    const chosen = byGain.find(({ each }) => completed(axes, each, allows) !== undefined)
    cell = chosen?.each ?? cell // never absent, since the cell so far can be completed
  }
  return inOrder(axes, cell) as Cell<Given>
}

/** Returns a cell with these values, or `undefined` when none is allowed. */
function completed<Given extends Axes>(
  axes: Given,
  values: Partial<Cell<Given>>,
  allows: CoveringOptions<Given>['allows'],
): Partial<Cell<Given>> | undefined {
  if (!allows(values)) return undefined
  const open = Object.keys(axes).find((name) => !(name in values))
  if (open === undefined) return values
  for (const value of axes[open] ?? []) {
    const found = completed(axes, { ...values, [open]: value }, allows)
    if (found !== undefined) return found
  }
  return undefined
}

function gainOf(tuples: readonly string[], missing: ReadonlySet<string>): number {
  return tuples.filter((tuple) => missing.has(tuple)).length
}

/** Returns the combinations of so many values of a cell, as text. */
export function tuplesOf(cell: Partial<Cell>, strength: number): readonly string[] {
  const chosen = Object.entries(cell).map(([name, value]) => [name, [String(value)]] as const)
  return combinations(Object.fromEntries(chosen), strength).map((values) => JSON.stringify(values))
}

function inOrder<Given extends Axes>(axes: Given, cell: Partial<Cell<Given>>): Partial<Cell> {
  const names = Object.keys(axes).filter((name) => name in cell)
  return Object.fromEntries(names.map((name) => [name, cell[name]]))
}

function shuffled<Value>(
  values: readonly Value[],
  random: (below: number) => number,
): readonly Value[] {
  const left = [...values]
  return values.map(() => left.splice(random(left.length), 1)[0] as Value)
}

/** A generator of numbers that gives the same sequence for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
