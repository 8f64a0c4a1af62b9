import type { Hono } from 'hono'
import { z } from 'zod'
import { descriptionOf, type Operation, type Schema } from './operation.ts'

export function openApi(app: Pick<Hono, 'routes'>, title: string) {
  const paths: Record<string, Record<string, object>> = {}
  for (const [route, operation] of operationsOf(app)) {
    const [method = '', path = ''] = route.split(' ')
    const template = path.replaceAll(/:(\w+)/g, '{$1}')
    paths[template] = { ...paths[template], [method.toLowerCase()]: describeOperation(path, operation) }
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    servers: [{ url: '/api/v1' }],
    paths,
    components: { schemas: { Error: errorSchema } },
  }
}

function operationsOf({ routes }: Pick<Hono, 'routes'>): Map<string, Operation> {
  const operations = new Map<string, Operation>()
  for (const { method, path, handler } of routes) {
    const route = `${method} ${path}`
    const { errors: before = [], ...rest } = operations.get(route) ?? {}
    const { errors = [], ...description } = descriptionOf(handler)
    operations.set(route, { ...rest, ...description, errors: [...before, ...errors] })
  }
  return new Map([...operations].filter(([, { summary }]) => summary !== undefined))
}

function describeOperation(path: string, operation: Operation): object {
  const { summary, query, json, answer, status = 200, errors = [], codes = {} } = operation
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  return {
    summary,
    parameters: [...inPath, ...(query ? queryParameters(query) : [])],
    ...(json && { requestBody: { required: true, content: content(schemaOf(json, 'input')) } }),
    responses: {
      [status]: { description: 'Success', ...(answer && { content: content(schemaOf(answer, 'output')) }) },
      ...Object.fromEntries(errors.map((one) => [one, errorAnswer('Error')])),
      ...Object.fromEntries(Object.entries(codes).map(([code, one]) => [one, errorAnswer(code)])),
    },
  }
}

function queryParameters(query: Schema): object[] {
  const { properties = {}, required = [] } = schemaOf(query, 'input')
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function schemaOf(schema: Schema, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io })
  return rest
}

function content(schema: object): object {
  return { 'application/json': { schema } }
}

function errorAnswer(description: string): object {
  return { description, content: content({ $ref: '#/components/schemas/Error' }) }
}

const errorSchema = schemaOf(
  z.object({
    error: z.object({
      code: z.string(),
      status: z.int(),
      reason: z.string(),
      message: z.string(),
      fields: z.record(z.string(), z.string()).optional(),
    }),
  }),
  'output',
)
