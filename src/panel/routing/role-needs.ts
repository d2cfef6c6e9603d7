import { roles } from '../../core/accounts/people/role.ts';
import type { RoleNeeds } from '../request/request.ts';
import type { Route } from './route.ts';

/** Creates the look-up of what routes need, for pages: they leave out what the person may not use. */
export function createRoleNeeds(routes: readonly Route[]): RoleNeeds {
  const bySize = Map.groupBy(
    routes.map((route) => ({ ...route, parts: route.path.split('/') })),
    ({ method, parts }) => `${method} ${parts.length}`,
  );
  return (method, path) => {
    const parts = path.replace(/[?#].*/, '').split('/');
    const found = (bySize.get(`${method} ${parts.length}`) ?? []).find((route) =>
      route.parts.every((part, at) => part.startsWith(':') || part === parts[at]),
    );
    return roles.find((role) => role === found?.needs) ?? null;
  };
}
