import { QueryError } from '../errors/query-error.ts'
import type { QueryModel } from '../query-model.ts'
import type { PartObstacle, PartTest } from './part-span.ts'

/** The error for a question about a part of a key that no stretch of keys answers. */
export function refusePart(
  { name }: QueryModel,
  { property, operator }: PartTest,
  obstacles: readonly PartObstacle[],
): QueryError {
  return new QueryError({
    model: name,
    property,
    message: `${name}.${property} is stored as a part of a key alone, ${reasonOf(property, operator, obstacles)} Or store it by itself too.`,
  })
}

function reasonOf(
  property: string,
  operator: PartTest['operator'],
  obstacles: readonly PartObstacle[],
): string {
  const earlier = obstacles.flatMap((each) => (each.kind === 'unknown' ? [each.earlier] : []))
  if (earlier.length > 0) {
    return `and ${earlier.join(' or ')} comes before it there: add a condition that must hold on what ${earlier.join(' or ')} equals.`
  }
  return `and keys are not in the order of ${property} there, so that ${operator} cannot be looked up: ask what it equals.`
}
