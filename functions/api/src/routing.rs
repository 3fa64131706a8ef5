//! Which route a request takes, as an HTTP API decides it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use http::Method;

/// Routes with something behind each, the most specific first.
pub struct Routes<T>(Vec<Route<T>>);

/// A method, a path with `{variables}` (each for one segment) and what is behind them.
pub struct Route<T> {
    method: Method,
    path: String,
    /// The target that answers.
    pub target: T,
}

impl<T> Route<T> {
    /// The route of, say, `GET` `/api/pro/job/{id}`.
    pub fn new(method: Method, path: impl Into<String>, target: T) -> Self {
        Self { method, path: path.into(), target }
    }

    /// The route's key, such as `GET /api/pro/job/{id}`.
    pub fn key(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// The values of the path's variables, or nothing when the path does not fit.
    fn variables(&self, path: &str) -> Option<BTreeMap<String, String>> {
        if self.path.split('/').count() != path.split('/').count() {
            return None;
        }
        let mut values = BTreeMap::new();
        for (wanted, given) in self.path.split('/').zip(path.split('/')) {
            match variable(wanted) {
                Some(name) if !given.is_empty() => _ = values.insert(name.to_owned(), given.to_owned()),
                None if wanted == given => {}
                _ => return None,
            }
        }
        Some(values)
    }
}

impl<T> Routes<T> {
    /// Fixed segments go before variables, from left to right.
    pub fn new(routes: impl IntoIterator<Item = Route<T>>) -> Self {
        let mut routes: Vec<_> = routes.into_iter().collect();
        routes.sort_by_cached_key(|route| Reverse(route.path.split('/').map(|segment| variable(segment).is_none()).collect::<Vec<_>>()));
        Self(routes)
    }

    /// The route that a request takes, with the values of its variables.
    pub fn choose(&self, method: &Method, path: &str) -> Option<(&Route<T>, BTreeMap<String, String>)> {
        self.0.iter().filter(|route| route.method == method).find_map(|route| Some((route, route.variables(path)?)))
    }

    /// The methods that a path takes.
    pub fn methods(&self, path: &str) -> impl Iterator<Item = &Method> {
        self.0.iter().filter(|route| route.variables(path).is_some()).map(|route| &route.method)
    }
}

fn variable(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_specific_route_wins() {
        let routes = Routes::new([
            Route::new(Method::GET, "/a/{id}/{task}", 1),
            Route::new(Method::GET, "/a/{id}/b", 2),
            Route::new(Method::GET, "/a/c/{task}", 3),
            Route::new(Method::GET, "/a", 4),
            Route::new(Method::POST, "/a", 5),
        ]);
        let choice = |method, path| {
            let (route, values) = routes.choose(&method, path)?;
            Some((route.target, values.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")))
        };
        assert_eq!(choice(Method::GET, "/a/1/x"), Some((1, "id=1 task=x".to_owned())));
        assert_eq!(choice(Method::GET, "/a/1/b"), Some((2, "id=1".to_owned())));
        assert_eq!(choice(Method::GET, "/a/c/b"), Some((3, "task=b".to_owned())));
        assert_eq!(choice(Method::GET, "/a"), Some((4, String::new())));
        assert_eq!(choice(Method::POST, "/a"), Some((5, String::new())));
        for (method, path) in
            [(Method::GET, "/"), (Method::GET, "/a/"), (Method::GET, "/a//b"), (Method::HEAD, "/a"), (Method::GET, "/a/1/b/2")]
        {
            assert_eq!(choice(method.clone(), path), None, "{method} {path}");
        }
        let methods = |path| routes.methods(path).map(Method::as_str).collect::<Vec<_>>();
        assert_eq!((methods("/a"), methods("/a/1/b"), methods("/b")), (vec!["GET", "POST"], vec!["GET", "GET"], vec![]));
    }
}
