//! Every address of the API, in one table.

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::MethodRouter;
use axum::{Json, Router, middleware};
use serde_json::{Value, json};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use crate::app::App;
use crate::config::Limits;
use crate::error::ApiError;
use crate::{
    assets, catalogue, exchange, explorer, guard, lessons, networks, openapi, play, programs, questions,
    runs, socket, studies,
};

/// An address with its methods.
pub struct Route {
    /// The path, with names in braces.
    pub path: &'static str,
    /// The methods in small letters, as OpenAPI has them.
    pub methods: Vec<&'static str>,
    handler: MethodRouter<Arc<App>>,
}

impl Route {
    fn new(path: &'static str) -> Route {
        Route { path, methods: Vec::new(), handler: MethodRouter::new() }
    }

    fn get<T: 'static>(mut self, handler: impl Handler<T, Arc<App>>) -> Route {
        self.methods.push("get");
        self.handler = self.handler.get(handler);
        self
    }

    fn post<T: 'static>(mut self, handler: impl Handler<T, Arc<App>>) -> Route {
        self.methods.push("post");
        self.handler = self.handler.post(handler);
        self
    }

    fn put<T: 'static>(mut self, handler: impl Handler<T, Arc<App>>) -> Route {
        self.methods.push("put");
        self.handler = self.handler.put(handler);
        self
    }

    /// Takes larger bodies than other addresses.
    fn with_body(mut self, bytes: usize) -> Route {
        self.handler = self.handler.layer(DefaultBodyLimit::max(bytes));
        self
    }

    fn delete<T: 'static>(mut self, handler: impl Handler<T, Arc<App>>) -> Route {
        self.methods.push("delete");
        self.handler = self.handler.delete(handler);
        self
    }
}

/// The addresses of the API.
pub fn routes(limits: &Limits) -> Vec<Route> {
    vec![
        Route::new("/api/health").get(health),
        Route::new("/api/openapi.json").get(description),
        Route::new("/api/games-list").get(catalogue::games_list),
        Route::new("/api/searches").get(catalogue::searches),
        Route::new("/api/levels").get(catalogue::game_levels),
        Route::new("/api/networks").get(networks::networks),
        Route::new("/api/opinion").post(networks::opinion),
        Route::new("/api/position").post(questions::position),
        Route::new("/api/compose").post(questions::compose),
        Route::new("/api/import").post(exchange::import),
        Route::new("/api/export").post(exchange::export),
        Route::new("/api/solve").post(questions::solve),
        Route::new("/api/explain").post(questions::explain),
        Route::new("/api/simulations").post(questions::simulations),
        Route::new("/api/lessons").get(lessons::list).post(lessons::show),
        Route::new("/api/games").get(play::list).post(play::create),
        Route::new("/api/games/{id}").get(play::show).delete(play::delete),
        Route::new("/api/games/{id}/moves").post(play::play),
        Route::new("/api/games/{id}/takeback").post(play::take_back),
        Route::new("/api/games/{id}/resign").post(play::resign),
        Route::new("/api/games/{id}/draw").post(play::offer_draw),
        Route::new("/api/games/{id}/hint").post(play::hint),
        Route::new("/api/games/{id}/pause").post(play::pause),
        Route::new("/api/games/{id}/resume").post(play::resume),
        Route::new("/api/studies").get(studies::list).post(studies::create),
        Route::new("/api/studies/{id}").get(studies::show).put(studies::replace).delete(studies::delete),
        Route::new("/api/explorer").get(explorer::sources).post(explorer::explore),
        Route::new("/api/explorer/files").post(explorer::add_file).with_body(limits.file_bytes),
        Route::new("/api/explorer/files/{id}").get(explorer::open_game).delete(explorer::remove_file),
        Route::new("/api/programs").get(programs::list).post(programs::add),
        Route::new("/api/programs/{id}").delete(programs::remove),
        Route::new("/api/programs/{id}/test").post(programs::test),
        Route::new("/api/runs").get(runs::list),
        Route::new("/api/runs/{id}").get(runs::show),
        Route::new("/api/runs/{id}/games").get(runs::games),
        Route::new("/api/runs/{id}/opinion").post(runs::opinion),
        Route::new("/api/ws").get(socket::open_socket),
    ]
}

/// The whole server as one service.
pub fn router(app: &Arc<App>) -> Router {
    let router = routes(&app.config.limits)
        .into_iter()
        .fold(Router::new(), |router, route| router.route(route.path, route.handler));
    router
        .fallback(assets::page)
        .method_not_allowed_fallback(assets::wrong_method)
        .layer(RequestBodyTimeoutLayer::new(app.config.limits.patience))
        .layer(DefaultBodyLimit::max(app.config.limits.body_bytes))
        .layer(middleware::from_fn_with_state(app.clone(), guard::guard))
        .layer(CatchPanicLayer::custom(|_| {
            ApiError::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal",
                "the request met a bug of the server: please report it",
            )
            .into_response()
        }))
        .with_state(app.clone())
}

/// The description of the API.
async fn description(axum::extract::State(app): axum::extract::State<Arc<App>>) -> Json<Value> {
    Json(openapi::description(&app.config.games))
}

/// Whether the server is there, and how busy it is.
async fn health(axum::extract::State(app): axum::extract::State<Arc<App>>) -> Json<Value> {
    let (running, waiting) = app.queue.counts();
    Json(json!({
        "status": "ok",
        "version": env!("CARGO_PKG_VERSION"),
        "cores": app.config.limits.cores,
        "searches": {"running": running, "waiting": waiting, "held_mebibytes": app.memory.held()},
    }))
}

#[cfg(test)]
mod tests {
    use outplay_engine::Catalogue;

    use super::*;

    #[test]
    fn the_description_lists_every_route_and_no_other() {
        let description = openapi::description(&Catalogue::standard());
        let paths = description["paths"].as_object().expect("paths");
        let mut described: Vec<String> = paths
            .iter()
            .flat_map(|(path, methods)| {
                methods.as_object().expect("methods").keys().map(move |method| format!("{method} {path}"))
            })
            .collect();
        let mut served: Vec<String> = routes(&Limits::default())
            .iter()
            .flat_map(|route| route.methods.iter().map(|method| format!("{method} {}", route.path)))
            .collect();
        described.sort();
        served.sort();
        assert_eq!(described, served);
    }
}
